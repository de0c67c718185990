"""The queue of bench/simulate.sh in SimPy, written apart from package simulate.

It prints the events a second (sends, receives, timeouts that end, ends of work,
as package simulate counts them) and the share of messages with more than one
effect, which has to agree with what vtsize says.
"""

import math
import random
import sys
import time

import simpy

RATE, CONSUMERS, TIMEOUT, MAX_RECEIVES = 40.0, 900, 30.0, 5
MU = math.log(12.0)
SIGMA = (math.log(45.0) - MU) / 2.3263478740408408


class Message:
    __slots__ = ("receives", "effects", "gone")

    def __init__(self):
        self.receives = 0
        self.effects = 0
        self.gone = False


class Queue:
    def __init__(self, env):
        self.env = env
        self.visible = simpy.Store(env)
        self.events = self.sent = self.done = self.twice = 0

    def send(self):
        while True:
            yield self.env.timeout(random.expovariate(RATE))
            self.events += 1
            self.sent += 1
            self.visible.put(Message())

    def expire(self, message, receipt):
        yield self.env.timeout(TIMEOUT)
        if not message.gone and message.receives == receipt:
            self.events += 1
            self.visible.put(message)

    def consume(self):
        while True:
            message = yield self.visible.get()
            self.events += 1
            if message.receives == MAX_RECEIVES:
                message.gone = True
                continue
            message.receives += 1
            receipt = message.receives
            self.env.process(self.expire(message, receipt))
            yield self.env.timeout(random.lognormvariate(MU, SIGMA))
            self.events += 1
            message.effects += 1
            if message.effects == 1:
                self.done += 1
            elif message.effects == 2:
                self.twice += 1
            if message.receives == receipt and not message.gone:
                message.gone = True


def main(hours):
    random.seed(1)
    env = simpy.Environment()
    queue = Queue(env)
    env.process(queue.send())
    for _ in range(CONSUMERS):
        env.process(queue.consume())
    began = time.perf_counter()
    env.run(until=hours * 3600)
    took = time.perf_counter() - began
    print(
        f"SimPy {simpy.__version__}: {queue.events} events, {queue.sent} messages in {took:.1f} s: "
        f"{queue.events / took / 1e6:.3f} million events/s, {took / queue.sent * 1e9:.0f} ns/message; "
        f"{100 * queue.twice / queue.done:.2f} % with more than one effect"
    )


main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
