import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openAccess } from '#lib/access/access.ts'
import { ROLES } from '#lib/access/permissions.ts'
import { createAccessAnswers } from './access-answers.ts'
import { noteCaller } from './callers.ts'

async function openFolder() {
  const dir = await mkdtemp(join(tmpdir(), 'bellwether-answers-'))
  const access = await openAccess({
    mode: 'password',
    dir,
    now: () => 1_780_000_000,
    sleep: async () => {},
    limits: { idle: 86_400, absolute: 86_400 },
    isOperator: () => false,
    onProblem: (error) => {
      throw error
    },
  })
  onTestFinished(async () => {
    await access.close()
    await rm(dir, { recursive: true, force: true })
  })
  return access
}

test('a token ends no session, not even one of its owner', async () => {
  const access = await openFolder()
  await access.sessions.begin({ name: 'ada', role: null, from: '192.0.2.7', agent: '' })
  const [{ id } = { id: '' }] = access.sessions.list()
  const headers: Record<string, string | undefined> = {}
  noteCaller(headers, {
    name: 'ada',
    permissions: ROLES.operator,
    via: { kind: 'token', id: 'one' },
  })
  for (const parts of [{}, { id }] as Record<string, string>[]) {
    const request = new Request('http://dashboard.test/api/access/sessions', {
      method: 'DELETE',
      headers: { ...(headers as Record<string, string>), authorization: 'Bearer bw_x' },
    })
    const asked = createAccessAnswers(() => access).answer('endSessions', { request, parts })
    await expect(asked).rejects.toMatchObject({ fault: 'forbidden' })
  }
  expect(access.sessions.list()).toHaveLength(1)
})
