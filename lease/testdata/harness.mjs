// Runs the heartbeat through what can happen; prints a line for each call.
import { ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { setTimeout as sleep } from "node:timers/promises";
import { LeaseLost, process as hold } from "./heartbeat.mjs";

const [endpoint, queues] = process.argv.slice(2);
const base = new SQSClient({ endpoint, region: "us-east-1", credentials: { accessKeyId: "test", secretAccessKey: "test" } });
const say = (...words) => console.log(...words);

// Tells of each call, and fails beats after the first where asked to.
const told = (name, fails) => {
  let beats = 0;
  return {
    send: async (command, options) => {
      const change = command.constructor.name.startsWith("Change");
      say(name, change ? "change" : "delete");
      if (change && ++beats > 1 && fails) throw new Error("the network is down");
      return base.send(command, options);
    },
  };
};

async function run(name, work, fails = false) {
  const url = queues + name;
  const received = performance.now();
  const { Messages } = await base.send(new ReceiveMessageCommand({ QueueUrl: url }));
  try {
    await hold(told(name, fails), url, Messages[0], received, (_, lease) => work(lease, url));
    say(name, "done");
  } catch (error) {
    say(name, ...(error instanceof LeaseLost ? ["lost", error.message] : ["failed"]));
  }
  await sleep(1000); // a stray beat would come now
  say(name, "end");
}

const forSeconds = (seconds, progress = true) => async (lease, url) => {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    lease.check();
    if (progress) lease.progress();
    await sleep(100);
  }
  if (!progress) return;
  const seen = await base.send(new ReceiveMessageCommand({ QueueUrl: url, WaitTimeSeconds: 0 }));
  say(url.split("/").at(-1), "seen", (seen.Messages ?? []).length);
};

await Promise.all([
  run("slow", forSeconds(2.5)), run("hang", forSeconds(60)), run("stuck", forSeconds(60, false)),
  run("cut-off", forSeconds(60), true),
  run("fail", async () => { await sleep(500); throw new Error("the work failed"); }),
]);
