import { readdir } from 'node:fs/promises'
import { onTestFinished } from 'vitest'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import { type Disk, nodeDisk } from '#lib/sync/disk.ts'
import { openEditions } from '#lib/sync/editions/edition-store.ts'
import type { DumpDownload, DumpOptions, Validators } from '#lib/upstream/upstream.ts'
import {
  createScriptedService,
  down,
  makeFolder,
  range,
  type ScriptedService,
  toRating,
  WEDNESDAY,
} from './scripted-service.ts'

export const RATINGS = range(1, 100).map((id) => toRating(id))

type Change = { dir?: string; keep?: number; disk?: Disk; at?: number }

export async function openTestEditions(service: ScriptedService, change: Change = {}) {
  const clock = { at: change.at ?? WEDNESDAY }
  const dir = change.dir ?? (await makeFolder())
  const logged: string[] = []
  const options = {
    dir,
    upstream: service,
    now: () => clock.at,
    keep: change.keep,
    disk: change.disk,
    log: (message: string) => void logged.push(message),
  }
  const reopen = async (disk?: Disk) => {
    const editions = await openEditions({ ...options, disk })
    onTestFinished(() => editions.close())
    return editions
  }
  const editions = await reopen(change.disk)
  const names = async () => (await readdir(dir, { recursive: true })).sort()
  return { clock, dir, editions, reopen, names, logged }
}

type PartRequest = { part: number | null; held: string | null }

export type DumpService = ScriptedService & {
  asked: PartRequest[]
  validators: Validators
  /** In bytes. Null for never. */
  breaksAfter: number | null
  knowsRanges: boolean
}

export function createDumpService(validators: Partial<Validators> = {}): DumpService {
  const scripted = createScriptedService({ ratings: RATINGS, saysLength: true })
  const plain = scripted.fetchDump
  const service: DumpService = Object.assign(scripted, {
    asked: [],
    validators: { etag: null, lastModified: null, ...validators },
    breaksAfter: null,
    knowsRanges: true,
  })
  const send = async (kind: DumpKind, { part }: DumpOptions): Promise<DumpDownload> => {
    const whole = await plain(kind)
    const bytes = await collect(whole.body)
    const isSame = part !== undefined && part.etag === service.validators.etag
    const from = isSame && service.knowsRanges ? part.bytes : 0
    const body = toBody(bytes.subarray(from), service)
    return { ...whole, body, from, validators: service.validators }
  }
  service.fetchDump = async (kind, options = {}) => {
    service.asked.push({ part: options.part?.bytes ?? null, held: null })
    return await send(kind, options)
  }
  service.fetchDumpIfChanged = async (kind, held, options = {}) => {
    service.asked.push({ part: null, held: held.etag })
    if (held.etag === service.validators.etag) return null
    return await send(kind, options)
  }
  return service
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function* toBody(bytes: Uint8Array, service: DumpService): AsyncGenerator<Uint8Array> {
  const end = Math.min(bytes.length, service.breaksAfter ?? bytes.length)
  for (let at = 0; at < end; at += service.chunk) {
    yield bytes.subarray(at, Math.min(at + service.chunk, end))
  }
  if (service.breaksAfter !== null && service.breaksAfter < bytes.length) throw down()
}

/** `fail` runs before each write step, numbered from 1. */
export function createFailingDisk(fail: (step: number, name: string) => void) {
  let steps = 0
  const before = (name: string) => {
    steps += 1
    fail(steps, name)
  }
  const guard = <A extends unknown[], R>(name: string, work: (...given: A) => Promise<R>) => {
    return async (...given: A): Promise<R> => {
      before(name)
      return await work(...given)
    }
  }
  const guardFile = (file: Awaited<ReturnType<Disk['create']>>) => ({
    write: guard('write', file.write),
    sync: guard('sync', file.sync),
    close: file.close,
  })
  const disk: Disk = {
    ...nodeDisk,
    makeFolder: guard('makeFolder', nodeDisk.makeFolder),
    create: guard('create', async (path: string) => guardFile(await nodeDisk.create(path))),
    goOn: guard('goOn', async (path: string, bytes: number) =>
      guardFile(await nodeDisk.goOn(path, bytes)),
    ),
    copy: guard('copy', nodeDisk.copy),
    link: guard('link', nodeDisk.link),
    rename: guard('rename', nodeDisk.rename),
    remove: guard('remove', nodeDisk.remove),
    syncFolder: guard('syncFolder', nodeDisk.syncFolder),
  }
  return { disk, steps: () => steps }
}
