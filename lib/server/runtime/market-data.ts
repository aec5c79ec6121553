import 'server-only'
import { join } from 'node:path'
import type { Archive } from '#lib/archive/archive.ts'
import type { PostsImport } from '#lib/contract/answers/status.ts'
import { type Rejects, toRejectedLines } from '#lib/csv/rejects.ts'
import { DEMO_NAMES } from '#lib/service/demo-community.ts'
import type { KeptImport } from '#lib/service/source.ts'
import { type KeptNames, keepNames } from '#lib/sync/names/keep-names.ts'
import { type InventedPrices, type KeptPrices, keepPrices } from '#lib/sync/prices/keep-prices.ts'
import { DATA_FILES } from '../environment/data-folder.ts'
import type { Env } from '../environment/env.ts'
import type { Log } from '../environment/log.ts'
import type { EmbeddedService } from './embedded-service.ts'

type MarketDeps = {
  env: Env
  log: Log
  archive: Pick<Archive, 'prices' | 'reader' | 'state'>
  service: EmbeddedService | null
  /** Closed in reverse order. */
  closing: { add<T extends { close(): Promise<void> }>(part: T): T }
  every: (seconds: number, run: () => void) => () => void
  /** Seconds since 1970. */
  now: () => number
}

type ReadPosts = { report: PostsImport; rejects: Rejects }

/** Call `begin` once ratings exist. */
type MarketData = {
  prices: KeptPrices
  names: KeptNames
  postsImport(): ReadPosts | null
  emptyImports(): string[]
  begin(): void
}

export function openMarketData({
  env,
  archive,
  service,
  closing,
  ...deps
}: MarketDeps): MarketData {
  const { benchmark, pricesCsv: sources } = env
  const filled = createGate()
  const invented = toInventedPrices(env, service, { ready: filled.opened, now: deps.now })
  const prices = closing.add(
    keepPrices({
      ...deps,
      prices: archive.prices,
      sources,
      invented,
      benchmark,
      reader: archive.reader,
      generation: () => archive.state().generation,
      dropped: join(env.dataDir, DATA_FILES.prices),
    }),
  )
  const names = closing.add(
    keepNames({ ...deps, source: env.symbolNamesCsv, invented: invented && DEMO_NAMES }),
  )
  const postsImport = () => toPostsImport(service?.imported() ?? null)
  const emptyImports = () => [
    ...toEmptyImports(postsImport()),
    ...prices.emptyImports(),
    ...names.emptyImports(),
  ]
  return { prices, names, postsImport, emptyImports, begin: filled.open }
}

function toPostsImport(imported: KeptImport | null): ReadPosts | null {
  if (!imported) return null
  const { rejects, ...read } = imported
  return { report: { ...read, ...toRejectedLines(rejects) }, rejects }
}

const toEmptyImports = (posts: ReadPosts | null): string[] =>
  posts && posts.report.ratings === 0 && posts.report.set_aside > 0 ? [posts.report.file] : []

/** Deferred until ratings exist, so that startup is not slower. */
function toInventedPrices(
  { postsCsv }: Env,
  service: EmbeddedService | null,
  { ready, now }: { ready: Promise<unknown>; now: () => number },
): InventedPrices | null {
  if (service === null || postsCsv !== null) return null
  let isReady = false
  const opened = ready.then(() => {
    isReady = true
  })
  const mark = () => (isReady ? `invented, day ${Math.floor(now() / DAY_SECONDS)}` : null)
  return { name: 'demo prices', mark, rows: service.closes, ready: opened }
}

const DAY_SECONDS = 86_400

function createGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}
