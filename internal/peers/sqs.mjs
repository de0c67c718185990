// Runs local-aws-sqs on loopback, prints its address, and ends when standard
// input does. To be run in a directory where local-aws-sqs is installed.
import { createServer } from "node:http";
import { createRequire } from "node:module";

const { createRequestHandler } = createRequire(process.cwd() + "/")("local-aws-sqs");

let handler;
const server = createServer((request, response) => handler.requestHandler(request, response));
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address();
  // A deleted queue's name may be used again at once.
  handler = createRequestHandler({ port, hostname: "127.0.0.1", emulateQueueCreationLifecycle: false });
  console.log(`http://127.0.0.1:${port}`);
});

process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
