import { readPathPart } from '#lib/contract/path-part.ts'
import 'server-only'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Respond } from '#lib/api/endpoint.ts'
import { matchesEtag, readParameters } from '#lib/api/respond.ts'
import type { FetchAnswer } from '#lib/client/fetch-api.ts'
import { noQuery } from '#lib/contract/api-queries.ts'
import { AppError, toAppError } from '#lib/contract/faults.ts'
import { symbolQuestions } from '#lib/contract/operations/symbols.ts'
import { userQuestions } from '#lib/contract/operations/users.ts'
import { singleton } from '#lib/server/environment/singleton.ts'
import { selectContext, toSender } from '#lib/server/gate/request-context.ts'
import { openRuntime } from '#lib/server/runtime/runtime.ts'
import { answerPicture } from './node-handlers.ts'
import type { Drawn, LoadDrawings } from './on-socket.ts'

type Picture = { png: Uint8Array<ArrayBuffer>; etag: string }
type CachedPreview = {
  picture: Promise<Picture>
  generation: number
  drawnAt: number
  bytes: number
}

type PreviewsDeps = {
  rasterise: (svg: string) => Promise<Uint8Array<ArrayBuffer>>
  /** Seconds since 1970. */
  now: () => number
  maxBytes?: number
}

const CACHE_BYTES = 16 * 1024 * 1024
const USUAL_BYTES = 64 * 1024
/** Bounded, because ratings expire without a new generation. */
const FRESH_SECONDS = 900
const LEAST_FRESH_SECONDS = 60
const RETRY_SECONDS = 5

const WAITING_MAX = 12

type Previews = ReturnType<typeof createPreviews>

export function createPreviews({ rasterise, now, maxBytes = CACHE_BYTES }: PreviewsDeps) {
  const kept = new LRUCache<string, CachedPreview>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes,
  })
  let [waiting, turn]: [number, Promise<unknown>] = [0, Promise.resolve()]

  const isFresh = (entry: CachedPreview, generation: number) => {
    const age = now() - entry.drawnAt
    return age < (entry.generation === generation ? FRESH_SECONDS : LEAST_FRESH_SECONDS)
  }
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting > WAITING_MAX) {
      const message = 'Too many images are being drawn. Try again soon.'
      throw new AppError('busy', message, { retryAfterSeconds: RETRY_SECONDS })
    }
    waiting += 1
    const done = turn.then(work)
    turn = done.catch(() => undefined)
    try {
      return await done
    } finally {
      waiting -= 1
    }
  }
  return {
    /** `draw` returns SVG. Throws AppError `busy`. */
    async select(key: string, generation: number, draw: () => Promise<string>): Promise<Picture> {
      const known = kept.get(key)
      if (known && isFresh(known, generation)) return await known.picture
      const picture = inTurn(async () => toPicture(await rasterise(await draw()), generation))
      const entry = { picture, generation, drawnAt: now(), bytes: USUAL_BYTES }
      kept.set(key, entry)
      try {
        const drawn = await picture
        if (kept.peek(key) === entry) kept.set(key, { ...entry, bytes: drawn.png.byteLength })
        return drawn
      } catch (error) {
        if (kept.peek(key) === entry) kept.delete(key)
        throw error
      }
    },
  }
}

function toPicture(png: Uint8Array<ArrayBuffer>, generation: number): Picture {
  const hash = createHash('sha256').update(png).digest('base64url').slice(0, 16)
  return { png, etag: `"${generation}-${hash}"` }
}

/** Throws AppError. */
const askApi: FetchAnswer = async (asked) => {
  const { api } = await openRuntime()
  return await api.answer(asked, toSender(selectContext()))
}

const FILE = /\/(symbols|users)\/([^/]+)\.png$/

export const respondPreview =
  (previews: Previews, load: LoadDrawings): Respond =>
  async ({ archive }, { request, params }) => {
    readParameters(noQuery, params)
    const { drawn, name } = readName(request)
    const key = await loadKey(drawn, name).catch(refuse)
    const { generation } = archive.state()
    const draw = () => load[drawn](name, askApi).catch(refuse)
    const { png, etag } = await previews.select(`${drawn} ${key}`, generation, draw)
    const headers = { etag, 'cache-control': 'private, max-age=300' }
    if (matchesEtag(request.headers.get('if-none-match'), etag))
      return new Response(null, { status: 304, headers })
    return new Response(png, {
      headers: {
        ...headers,
        'content-type': 'image/png',
        'content-length': String(png.byteLength),
      },
    })
  }

function readName({ url }: Request): { drawn: Drawn; name: string } {
  const [, drawn, file] = FILE.exec(new URL(url).pathname) ?? []
  if (drawn === undefined || file === undefined) {
    throw new AppError('not_found', 'No such image.')
  }
  return { drawn: drawn === 'users' ? 'users' : 'symbols', name: readPathPart(file) }
}

async function loadKey(drawn: Drawn, name: string): Promise<string> {
  const params = new URLSearchParams()
  if (drawn === 'users') {
    const asked = { question: userQuestions.user, parts: { id: name }, params }
    return String((await askApi(asked)).data.user_id)
  }
  const asked = { question: symbolQuestions.symbol, parts: { symbol: name }, params }
  return (await askApi(asked)).data.symbol
}

function refuse(error: unknown): never {
  throw toAppError(error).fault === 'bad_request'
    ? new AppError('not_found', 'No such image.')
    : error
}

const processPreviews = () =>
  singleton('previews', () =>
    createPreviews({ rasterise, now: () => Math.floor(Date.now() / 1000) }),
  )

export const answerPreview = (load: LoadDrawings) =>
  answerPicture(respondPreview(processPreviews(), load))

const FONTS = 'node_modules/geist/dist/fonts/geist-sans'

/** Bundled, so that pictures do not depend on system fonts. */
const font = {
  loadSystemFonts: false,
  defaultFontFamily: 'Geist',
  fontFiles: ['Regular', 'Medium', 'SemiBold'].map((weight) =>
    join(process.cwd(), FONTS, `Geist-${weight}.ttf`),
  ),
}

/** Draws on worker threads. */
export async function rasterise(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  const { renderAsync } = await import('@resvg/resvg-js')
  return new Uint8Array((await renderAsync(svg, { font })).asPng())
}
