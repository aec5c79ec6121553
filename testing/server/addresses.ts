import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = new URL('../..', import.meta.url).pathname

const listFiles = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name).slice(join(ROOT, folder).length)] : [],
  )

/** What stands in a part of an address that is chosen by whoever asks. */
const SAMPLES: Readonly<Record<string, string>> = {
  symbol: 'AAPL',
  id: '1',
  name: 'ada',
  file: 'x.png',
  operation: 'ratings',
}

const toSample = (path: string) =>
  path.replace(/\/\([^)]*\)/g, '').replace(/\[(\w+)\]/g, (_, name: string) => SAMPLES[name] ?? name)

/**
 * Every address that a file of this project answers, read off the files, with a sample for each part that is chosen. What
 * stands for any address at all is left out.
 */
export function listAddresses(): string[] {
  const app = listFiles('app').flatMap((file) => {
    const found = /^(.*)\/(?:page\.tsx|route\.ts)$/.exec(file)
    return found ? [found[1] || '/'] : []
  })
  const pages = listFiles('pages').map((file) => file.replace(/\.ts$/, ''))
  const files = listFiles('public')
  return [...app, ...pages, ...files]
    .filter((path) => !path.includes('[...'))
    .map((path) => toSample(path) || '/')
    .sort()
}
