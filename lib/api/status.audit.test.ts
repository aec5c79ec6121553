import { rmSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { AuditEntry } from '#lib/access/audit.ts'
import { toFacetsAnswer, toPageAnswer } from '#lib/contract/answers/lists.ts'
import { auditList } from '#lib/contract/lists/audit.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'

const page = toPageAnswer(auditList, {})
const facets = toFacetsAnswer(auditList, {})

let test: TestApi
beforeAll(async () => {
  test = await openTestApi()
})
afterAll(() => test.close())
afterEach(() => {
  for (const file of [test.auditFile, `${test.auditFile}.1`]) rmSync(file, { force: true })
})

const entry = (at: number, given: Partial<AuditEntry> = {}): AuditEntry => ({
  at,
  kind: 'sign-in',
  who: 'ada',
  what: 'signed in',
  outcome: 'done',
  from: '192.0.2.1',
  ...given,
})

const write = (path: string, ...lines: readonly (AuditEntry | string)[]) =>
  writeFileSync(
    path,
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
  )

const load = async (query = '') => page.parse(await (await test.ask(`/api/audit${query}`)).json())

it('entries of both files are one list, newest first', async () => {
  write(`${test.auditFile}.1`, entry(1), entry(2))
  write(test.auditFile, entry(3), entry(4))
  const { data, meta } = await load('?per_page=3')
  expect(data).toEqual([entry(4), entry(3), entry(2)])
  expect(meta.all).toBe(4)
})

it('a line that was cut short or holds something else hides no other line', async () => {
  write(test.auditFile, entry(1), '{"at":2,"kind":"sync","wh', 'no json', '{}', entry(3))
  expect((await load()).data).toEqual([entry(3), entry(1)])
})

it('entries are filtered, counted and exported by account, kind, outcome and address', async () => {
  const refused = { outcome: 'refused', who: '', from: '2001:db8::1', what: '=cmd' } as const
  write(test.auditFile, entry(1), entry(2, { kind: 'export' }), entry(3, refused))
  expect((await load('?outcome=refused')).data).toEqual([entry(3, refused)])
  expect((await load('?kind=-export&address=192.0.2.1')).data).toEqual([entry(1)])
  const counted = await test.ask('/api/audit/facets?kind=export')
  expect(facets.parse(await counted.json()).data).toMatchObject({
    kind: [
      { value: 'sign-in', count: 2 },
      { value: 'export', count: 1 },
    ],
    outcome: [
      { value: 'done', count: 1 },
      { value: 'refused', count: 0 },
      { value: 'failed', count: 0 },
    ],
    bounds: { created: { from: 1, to: 4 } },
  })
  const file = await (await test.ask('/api/audit.csv?outcome=refused&excel=1')).text()
  expect(file).toBe(
    'at,who,kind,what,outcome,from\r\n3,"",sign-in,"\'=cmd",refused,2001:db8::1\r\n',
  )
})

it('a log that was never written is empty', async () => {
  expect(await load()).toMatchObject({ data: [], page: { total: 0 }, meta: { all: 0 } })
  expect(await (await test.ask('/api/audit.ndjson')).text()).toBe('')
})
