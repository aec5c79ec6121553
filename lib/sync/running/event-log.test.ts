import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, WEDNESDAY } from '#testing/sync/scripted-service.ts'
import { openEventLog } from './event-log.ts'

const entry = (message: string) => ({
  level: 'info' as const,
  kind: 'sync' as const,
  message,
  fields: { rows: 3 },
})

async function open(options: { maximumBytes?: number; at?: number; file?: string } = {}) {
  const file = options.file ?? join(await makeFolder(), 'events.ndjson')
  const clock = { at: options.at ?? WEDNESDAY }
  const told: string[] = []
  const log = (message: string) => void told.push(message)
  const reopen = () => openEventLog({ file, now: () => clock.at, log, ...options })
  return { file, clock, told, reopen, events: await reopen() }
}

const messages = (events: { latest: (count: number) => { message: string }[] }, count = 10) =>
  events.latest(count).map(({ message }) => message)

test('what happened is there after a restart, the newest first, and ids go on rising', async () => {
  const { events, reopen, clock } = await open()
  events.append(entry('one'))
  clock.at += 5
  events.append(entry('two'))
  await events.close()
  const again = await reopen()
  expect(messages(again)).toEqual(['two', 'one'])
  expect(again.latest(1)[0]).toMatchObject({ at: WEDNESDAY + 5, fields: { rows: 3 } })
  again.append(entry('three'))
  const ids = again.latest(3).map(({ id }) => id)
  expect(ids).toEqual([...ids].sort((a, b) => b - a))
  expect(new Set(ids).size).toBe(3)
})

test('a line that is damaged or was cut short is left out, and takes no other with it', async () => {
  const { events, reopen, file } = await open()
  events.append(entry('one'))
  events.append(entry('two'))
  await events.close()
  const [one, two] = (await readFile(file, 'utf8')).trim().split('\n')
  await writeFile(file, `${one}\n{"id":"x"}\nnonsense\n${two}\n${two?.slice(0, 20)}`)
  const again = await reopen()
  expect(messages(again)).toEqual(['two', 'one'])
  again.append(entry('three'))
  await again.close()
  expect(messages(await reopen())).toEqual(['three', 'two', 'one'])
})

test('the log never outgrows two files, and keeps the newest', async () => {
  const { events, reopen, file } = await open({ maximumBytes: 2000 })
  for (let count = 1; count <= 100; count += 1) events.append(entry(`number ${count}`))
  await events.close()
  for (const path of [file, `${file}.1`]) expect((await stat(path)).size).toBeLessThanOrEqual(2000)
  const kept = messages(await reopen(), 1000)
  expect(kept[0]).toBe('number 100')
  expect(kept.length).toBeGreaterThan(10)
  expect(kept).toEqual(kept.map((_, index) => `number ${100 - index}`))
})

test('a disk that takes nothing is told of once, and whoever appends never notices', async () => {
  const file = join(await makeFolder(), 'events.ndjson')
  await mkdir(file)
  const { events, told } = await open({ file })
  events.append(entry('one'))
  events.append(entry('two'))
  await events.close()
  expect(messages(events)).toEqual(['two', 'one'])
  expect(told).toEqual(['the event log cannot be written'])
})

test('a listener hears of each entry until it leaves, and one that throws harms nobody', async () => {
  const { events } = await open()
  const heard: string[] = []
  events.onAppend(() => {
    throw new Error('gone')
  })
  const leave = events.onAppend(({ message }) => heard.push(message))
  events.append(entry('one'))
  leave()
  events.append(entry('two'))
  expect(heard).toEqual(['one'])
  expect(messages(events)).toEqual(['two', 'one'])
})
