"""Runs the heartbeat through what can happen; prints a line for each call."""
import sys
import threading
import time

import boto3
from botocore.config import Config

import heartbeat

base = boto3.client(
    "sqs", endpoint_url=sys.argv[1], region_name="us-east-1", aws_access_key_id="test", aws_secret_access_key="test",
    config=Config(connect_timeout=1, read_timeout=1, retries={"total_max_attempts": 1}),
)
lock = threading.Lock()


def say(*words):
    with lock:
        print(*words, flush=True)


class Told:
    """Tells of each call, and fails beats after the first where asked to."""

    def __init__(self, name, fails=False):
        self.name, self.fails, self.beats = name, fails, 0

    def change_message_visibility(self, **request):
        say(self.name, "change")
        self.beats += 1
        if self.fails and self.beats > 1:
            raise OSError("the network is down")
        return base.change_message_visibility(**request)

    def delete_message(self, **request):
        say(self.name, "delete")
        return base.delete_message(**request)


def run(name, work, fails=False):
    url = sys.argv[2] + name
    received = time.monotonic()
    message = base.receive_message(QueueUrl=url)["Messages"][0]
    try:
        heartbeat.process(Told(name, fails), url, message, received, lambda m, lease: work(lease, url))
        say(name, "done")
    except heartbeat.LeaseLost as lost:
        say(name, "lost", lost)
    except RuntimeError:
        say(name, "failed")
    time.sleep(1)  # a stray beat would come now
    say(name, "end")


def for_seconds(seconds, progress=True):
    def work(lease, url):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            lease.check()
            if progress:
                lease.progress()
            time.sleep(0.1)
        if progress:
            say(url.rsplit("/", 1)[1], "seen", len(base.receive_message(QueueUrl=url, WaitTimeSeconds=0).get("Messages", [])))
    return work


def fail(lease, url):
    time.sleep(0.5)
    raise RuntimeError("the work failed")


threads = [
    threading.Thread(target=run, args=args)
    for args in [
        ("slow", for_seconds(2.5)), ("hang", for_seconds(60)), ("stuck", for_seconds(60, progress=False)),
        ("cut-off", for_seconds(60), True), ("fail", fail),
    ]
]
for t in threads:
    t.start()
for t in threads:
    t.join()
