import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))

/** Commands of package.json that a text runs: `npm test`, `npm run sbom`. */
const selectCommands = (text: string): string[] =>
  Array.from(text.matchAll(/npm (?:run (?:--silent )?([a-z-]+)|(test|start))\b/g), (match) =>
    String(match[1] ?? match[2]),
  )

const workflows = readdirSync('.github/workflows').map((name) => join('.github/workflows', name))

it('every workflow parses, has limited permissions, and runs commands that exist', () => {
  expect(workflows.length).toBeGreaterThanOrEqual(3)
  for (const path of workflows) {
    const text = readFileSync(path, 'utf8')
    const { jobs, permissions } = parse(text)
    expect(permissions, path).toEqual({ contents: 'read' })
    for (const [name, job] of Object.entries<Record<string, unknown>>(jobs)) {
      expect(job['timeout-minutes'], `${path}: ${name}`).toBeGreaterThan(0)
    }
    expect(selectCommands(text).filter((name) => !(name in manifest.scripts))).toEqual([])
  }
})

it('continuous integration tests the oldest supported version of Node', () => {
  const { jobs } = parse(readFileSync('.github/workflows/ci.yml', 'utf8'))
  const [oldest] = jobs.test.strategy.matrix.node
  expect(manifest.engines.node).toMatch(new RegExp(`^>=${oldest}\\.`))
})

it('every file that package.json packs exists in the repository or is built', () => {
  const packed: string[] = manifest.files
  const named = packed.filter((path) => !/^!|[*]/.test(path) && path !== '.next')
  expect(named.filter((path) => !existsSync(path))).toEqual([])
  expect(packed).toContain(manifest.bin.bellwether)
})

it('a script of the package imports only scripts of the package, before packages are found', () => {
  const packed: string[] = manifest.files
  const scripts = packed.filter((path) => path.startsWith('scripts/'))
  const imported = scripts.flatMap((path) =>
    Array.from(
      readFileSync(path, 'utf8').matchAll(/from '\.\/([^']+)'|^import '\.\/([^']+)'/gm),
    ).map((match) => `scripts/${match[1] ?? match[2]}`),
  )
  expect(imported.filter((path) => !packed.includes(path))).toEqual([])
})

it('the changelog has an entry for the version of package.json', () => {
  expect(readFileSync('CHANGELOG.md', 'utf8')).toMatch(
    new RegExp(`^## \\[${manifest.version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d{2}-\\d{2}$`, 'm'),
  )
})
