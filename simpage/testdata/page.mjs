// Opens the page given, moves its sliders by keyboard and prints what it shows
// as JSON: for each state the engine's results and the command lines that are
// said to give the same.
import { createRequire } from "node:module";

const { chromium } = createRequire(process.cwd() + "/")("playwright-core");
const flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: flags.split(" ") });
const messages = [], requests = [], states = {};

async function open(options) {
  const page = await (await browser.newContext(options)).newPage();
  page.on("console", m => messages.push(`${m.type()}: ${m.text()}`));
  page.on("pageerror", e => messages.push("error: " + e.message));
  page.on("request", r => { if (!/^(file|data|blob):/.test(r.url())) requests.push(r.url()); });
  await page.goto("file://" + process.argv[2]);
  await settled(page);
  return page;
}

const settled = page => page.waitForFunction(() => document.body.dataset.idle === "true" && document.querySelector("#curve svg") && !document.querySelector(".busy"), null, { timeout: 120000 });

async function look(page, name) {
  await settled(page);
  states[name] = await page.evaluate(() => ({
    bill: Object.fromEntries([...document.querySelectorAll("#bill .card")].map(c => [c.querySelector("dt").textContent, c.querySelector("dd").textContent])),
    lanes: document.querySelectorAll("#lanes .lane").length,
    rows: document.querySelectorAll("#timeline tr").length,
    figures: document.querySelectorAll("#figures tr").length,
    replay: document.querySelector("#lanes").result, replayCommand: document.querySelector("#command-one").textContent,
    fleet: document.querySelector("#figures").result, fleetCommand: document.querySelector("#command-fleet").textContent,
    sweep: document.querySelector("#curve").result, sweepCommand: document.querySelector("#command-sweep").textContent,
    state: document.querySelector("#state").hidden ? "" : document.querySelector("#state").textContent,
    wide: document.documentElement.scrollWidth - innerWidth,
    colours: [getComputedStyle(document.querySelector("section")).backgroundColor, getComputedStyle(document.querySelector("#lanes .ground")).fill],
    names: [...document.querySelectorAll("input,select,button")].filter(e => !(e.labels?.length || e.textContent.trim())).map(e => e.id),
  }));
}

async function press(page, id, key, times = 1) {
  await page.focus("#" + id);
  for (let i = 0; i < times; i++) await page.keyboard.press(key);
}

const page = await open({ colorScheme: "light", viewport: { width: 1200, height: 900 } });
await look(page, "first");
await press(page, "timeout", "ArrowRight", 4); // 30, 35, 40, 45, 50 s
await look(page, "longer timeout");
await press(page, "timeout", "ArrowLeft", 4);
await press(page, "heartbeat", "ArrowRight", 8); // 1, 2, 3, 5, 8, 9, 10, 12 s
await look(page, "heartbeat");
await press(page, "heartbeat", "Home");
await press(page, "receives", "ArrowLeft", 2);
await press(page, "crash", "ArrowRight", 2);
await press(page, "key", "Space");
await look(page, "crash and key");
await page.selectOption("#dial", "consumers");
await look(page, "consumers");
await press(page, "theme", "Enter", 2); // light, dark
await look(page, "dark by choice");
await look(await open({ colorScheme: "dark", viewport: { width: 390, height: 800 } }), "narrow and dark");
await browser.close();
console.log(JSON.stringify({ messages, requests, states }));
