import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ADDRESSES } from '#lib/contract/operations/operations.ts'

const ROOT = new URL('../..', import.meta.url).pathname

const listFiles = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name).slice(join(ROOT, folder).length)] : [],
  )

const SAMPLES: Readonly<Record<string, string>> = {
  symbol: 'AAPL',
  id: '1',
  name: 'ada',
  file: 'x.png',
  operation: 'ratings',
}

const toSample = (path: string) =>
  path
    .replace(/\/\([^)]*\)/g, '')
    .replace(/[[{](\w+)[\]}]/g, (_, name: string) => SAMPLES[name] ?? name)

export function listAddresses(): string[] {
  const app = listFiles('app').flatMap((file) => {
    const found = /^(.*)\/(?:page\.tsx|route\.ts)$/.exec(file)
    return found && !file.startsWith('/api/') ? [found[1] || '/'] : []
  })
  const files = listFiles('public')
  return [...app, ...files, ...ADDRESSES.map(({ address }) => address)]
    .filter((path) => !path.includes('[...'))
    .map((path) => toSample(path) || '/')
    .sort()
}
