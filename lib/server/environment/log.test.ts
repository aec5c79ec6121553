import { expect, test } from 'vitest'
import { createLog, hearConsole, type LogOptions } from './log.ts'

const NOW = new Date('2026-11-21T14:03:00Z')

function listen(change: Partial<LogOptions> = {}) {
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line), now: () => NOW, ...change })
  return { log, lines, parsed: () => lines.map((line) => JSON.parse(line)) }
}

test('a line is one JSON object: when, how bad, what, and the facts', () => {
  const { log, parsed } = listen()
  log.warn('the sync waits', { seconds: 60, fault: null })
  expect(parsed()).toEqual([
    { level: 'warn', time: NOW.toISOString(), message: 'the sync waits', seconds: 60, fault: null },
  ])
})

test('a field can neither forge a line, nor colour a terminal, nor fill the disk', () => {
  const { log, lines } = listen()
  log('a request', { path: '/\n{"level":"error"}\u001b[31m', detail: 'x'.repeat(1_000_000) })
  expect(lines).toHaveLength(1)
  expect(lines[0]?.trimEnd()).not.toContain('\n')
  expect(lines[0]).not.toContain('\u001b')
  expect(lines[0]?.length).toBeLessThan(2500)
})

test('what the framework says of a request is one escaped line of the log, whatever the request held', () => {
  const { log, lines, parsed } = listen({ secrets: () => ['the-secret-key'] })
  const spoken: Pick<Console, 'error' | 'warn'> = { error: () => {}, warn: () => {} }
  hearConsole(log, spoken)
  spoken.error(new Error('Received "\u001b[31m\u009b2J\u2028the-secret-key\n{"level":"error"}".'))
  spoken.warn('%s is %o', '\r\nforged', { no: 'page' })
  expect(lines).toHaveLength(2)
  for (const sign of ['\u001b', '\u009b', '\u2028', '\r', 'the-secret-key']) {
    expect(lines.join('')).not.toContain(sign)
  }
  expect(parsed().map(({ level }) => level)).toEqual(['error', 'warn'])
  expect(parsed()[0].detail).toContain('Received "')
})

test('a secret that was given to the log is in no line, in whatever way it is written', () => {
  const secret = 'CANARY+key/9="&ü'
  const { log, lines } = listen({ secrets: () => [secret] })
  const base64 = Buffer.from(secret).toString('base64')
  log('asked', { url: `http://x/?api_key=${encodeURIComponent(secret)}` })
  log.error(`it was ${secret}`, { header: `Bearer ${secret}`, encoded: base64 })
  expect(lines).toHaveLength(2)
  for (const line of lines) {
    expect(line).toContain('[secret]')
    expect(line).not.toMatch(/CANARY/)
    expect(line).not.toContain(base64)
  }
})
