import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

function selectPackages(file: string): string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/^import\b[^'"]*['"]([^'"]+)['"]/gm)
  return Array.from(imports, ([, name = '']) => name).flatMap((name) => {
    if (name.startsWith('node:')) return []
    return name.startsWith('.') ? selectPackages(join(dirname(file), name)) : [name]
  })
}

it.each(['start', 'test', 'check', 'dev', 'explore'])(
  'npm run %s needs no package before it has installed them',
  (name) => {
    expect(selectPackages(`scripts/${name}.mjs`)).toEqual([])
  },
)

it('a package that is loaded at once is found', () => {
  expect(selectPackages('scripts/engines.mjs')).toContain('@playwright/test')
})
