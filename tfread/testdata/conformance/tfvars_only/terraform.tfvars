queues = {
  fast = { timeout = 30, dlq = false }
  slow = { timeout = "900" }
}
