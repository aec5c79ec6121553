import { expect, it } from 'vitest'
import type { Doc } from '#lib/contract/document.ts'
import { listDocs, readDoc, readDocGroups } from './read-docs.ts'

const docs = new Map<string, Doc>()
for (const path of await listDocs()) {
  const doc = await readDoc(path)
  if (doc) docs.set(path, doc)
}

it('every document can be read, and has a title', () => {
  expect(docs.size).toBeGreaterThan(12)
  for (const [path, { title, blocks }] of docs) {
    expect(title, path).not.toBe(path)
    expect(blocks.length, path).toBeGreaterThan(1)
  }
})

it('the index has every document once', async () => {
  const listed = (await readDocGroups()).flatMap(({ entries }) => entries)
  const paths = listed.map(({ path }) => path).sort()
  expect(paths).toEqual([...docs.keys()].sort())
  for (const { path, lead } of listed) expect(lead.length, path).toBeGreaterThan(40)
})

it('what is no document is none, wherever it lies', async () => {
  for (const path of [
    '../README',
    'nope',
    '',
    'contributing/tour',
    'decisions/README',
    '/etc/passwd',
  ]) {
    expect(await readDoc(path), path).toBeNull()
  }
})
