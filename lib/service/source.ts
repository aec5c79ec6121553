import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { rejectedLines } from '#lib/contract/answers/status.ts'
import { isMissing } from '#lib/files/json-file.ts'

export type Source =
  | { kind: 'demo'; ratings: number; seed: number; tailSeconds: number }
  | { kind: 'csv'; posts: string; lookups?: string }

const file = z.object({ path: z.string(), sha256: z.string() })

/** `made_at`: seconds since 1970; a demo history ends there. */
export const keptSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('demo'), made_at: z.int(), ratings: z.int(), seed: z.int() }),
  z.object({ kind: z.literal('csv'), made_at: z.int(), posts: file, lookups: z.nullable(file) }),
])
export type KeptSource = z.infer<typeof keptSource>
type KeptFile = z.infer<typeof file>

export const keptImport = z.object({
  file: z.string(),
  /** Seconds since 1970. */
  read_at: z.int(),
  ratings: z.int(),
  doubled: z.int(),
  rejects: z.object({
    total: rejectedLines.shape.set_aside,
    reasons: rejectedLines.shape.reasons,
    kept: rejectedLines.shape.examples,
  }),
})
export type KeptImport = z.infer<typeof keptImport>

/** Only a different setting or file helps. The message is for the operator. */
export class SourceProblem extends Error {}

export class SourceMismatch extends SourceProblem {}

export async function toKeptSource(source: Source, madeAt: number): Promise<KeptSource> {
  if (source.kind === 'demo') {
    return { kind: 'demo', made_at: madeAt, ratings: source.ratings, seed: source.seed }
  }
  return {
    kind: 'csv',
    made_at: madeAt,
    posts: await toKeptFile(source.posts),
    lookups: source.lookups === undefined ? null : await toKeptFile(source.lookups),
  }
}

/** Compares files by content. */
export async function requireSameSource(kept: KeptSource, source: Source): Promise<void> {
  if (await isSame(kept, source)) return
  throw new SourceMismatch(
    `This data folder holds ${toCommunityName(kept)}, but the configuration asks for ${toCommunityName(source)}. ` +
      'Change the configuration, or choose a different folder with DATA_DIR.',
  )
}

async function isSame(kept: KeptSource, source: Source): Promise<boolean> {
  if (kept.kind === 'demo') {
    return source.kind === 'demo' && kept.ratings === source.ratings && kept.seed === source.seed
  }
  if (source.kind === 'demo') return false
  return (
    (await isSameFile(kept.posts, source.posts)) &&
    (await isSameFile(kept.lookups, source.lookups ?? null))
  )
}

async function isSameFile(kept: KeptFile | null, path: string | null): Promise<boolean> {
  if (kept === null || path === null) return kept === path
  try {
    return kept.sha256 === (await toHash(path))
  } catch (error) {
    if (isMissing(error)) return kept.path === resolve(path)
    throw error
  }
}

async function toKeptFile(path: string): Promise<KeptFile> {
  try {
    return { path: resolve(path), sha256: await toHash(path) }
  } catch (cause) {
    throw new SourceProblem(`${resolve(path)} cannot be read`, { cause })
  }
}

async function toHash(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

function toCommunityName(source: KeptSource | Source): string {
  if (source.kind === 'demo') {
    return `a demo community of ${source.ratings} ratings (DEMO_RATINGS) with seed ${source.seed} (DEMO_SEED)`
  }
  const posts = typeof source.posts === 'string' ? resolve(source.posts) : source.posts.path
  return `the community of ${posts} (SERVICE_POSTS_CSV, SERVICE_LOOKUPS_CSV)`
}
