import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ALARM_KINDS } from '#lib/contract/answers/status.ts'
import { FAULT_STATUS } from '#lib/contract/faults.ts'

const text = readFileSync('docs/troubleshooting.md', 'utf8')

it('names every alarm, and every fault with its status', () => {
  const rows = Array.from(
    text.matchAll(/^\| `([a-z_]+)` +\| (?:(\d{3}) +\|)?/gm),
    ([, name = '', status]): [string, number | null] => [name, status ? Number(status) : null],
  )
  expect(Object.fromEntries(rows)).toEqual({
    ...FAULT_STATUS,
    ...Object.fromEntries(ALARM_KINDS.map((kind) => [kind, null])),
  })
})
