// `npm start` runs us through a shell. A SIGTERM to npm is passed on to that shell, which dies of it and tells nobody:
// the server would live on, unseen, on its port. So whoever loses its parent under npm takes that for the signal.
const LOOK_EVERY_MS = 100

if (process.env.npm_lifecycle_event) {
  const parent = process.ppid
  const look = () => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  timer.unref()
}
