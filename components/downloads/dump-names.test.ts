import { expect, test } from 'vitest'
import type { Dump } from '#lib/contract/answers/status.ts'
import { dumpCommands } from './dump-names.ts'

const dump: Dump = {
  kind: 'posts',
  state: 'ready',
  reason: null,
  progress: null,
  file_name: 'posts-2026-11-15.csv',
  edition: null,
  columns: [],
  first_rows: [],
  next_due_at: 0,
  changes: null,
  aside: null,
  cost: 1,
}

test('the curl line resumes into a file of its own name', () => {
  expect(dumpCommands(dump, 'http://127.0.0.1:3000')[0]?.text).toBe(
    'curl -fC - -o posts-2026-11-15.csv http://127.0.0.1:3000/api/v1/posts/dumps',
  )
})
