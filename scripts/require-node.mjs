// Every script imports this first, so that an old Node is told what is needed instead of failing on something obscure.
import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const [major, minor] = manifest.engines.node.replace(/^\D+/, '').split('.').map(Number)
const [ourMajor, ourMinor] = process.versions.node.split('.').map(Number)

if (ourMajor < major || (ourMajor === major && ourMinor < minor)) {
  console.error(
    `Bellwether needs Node ${major}.${minor} or newer; this is Node ${process.versions.node}.`,
  )
  process.exit(1)
}
