import 'server-only'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Respond } from '#lib/api/endpoint.ts'
import { isHeld, readParameters } from '#lib/api/respond.ts'
import type { Ask } from '#lib/client/fetch-api.ts'
import { noQuery } from '#lib/contract/api-queries.ts'
import { AppError, toAppError } from '#lib/contract/faults.ts'
import { symbolQuestions } from '#lib/contract/operations/symbols.ts'
import { userQuestions } from '#lib/contract/operations/users.ts'
import { once } from '#lib/server/environment/once.ts'
import { openRuntime } from '#lib/server/runtime/runtime.ts'
import { answerPicture } from './node-handlers.ts'
import type { Drawn, LoadDrawings } from './on-socket.ts'

/** A picture as it is sent. */
type Picture = { png: Uint8Array<ArrayBuffer>; etag: string }
type Kept = { picture: Promise<Picture>; generation: number; drawnAt: number; bytes: number }

type PreviewsDeps = {
  /** Makes a PNG of an SVG. */
  rasterise: (svg: string) => Promise<Uint8Array<ArrayBuffer>>
  /** Seconds since 1970. */
  now: () => number
  maxBytes?: number
}

const CACHE_BYTES = 16 * 1024 * 1024
/** What a picture is taken for while it is drawn. */
const USUAL_BYTES = 64 * 1024
/** Ratings expire without a new generation, and a new one seldom changes what is seen. */
const FRESH_SECONDS = 900
const LEAST_FRESH_SECONDS = 60
const RETRY_SECONDS = 5

/** One is drawn at a time, so that the archive's readers keep their threads; so many wait for their turn. */
const WAITING_MAX = 12

export type Previews = ReturnType<typeof createPreviews>

/**
 * Pictures for links. Whoever asks for one that is being drawn waits for that one; what was drawn is kept while the archive
 * stays as it is, for a minute at the least and a quarter of an hour at the most, in bounded memory.
 */
export function createPreviews({ rasterise, now, maxBytes = CACHE_BYTES }: PreviewsDeps) {
  const kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes,
  })
  let [waiting, turn]: [number, Promise<unknown>] = [0, Promise.resolve()]

  const isFresh = (entry: Kept, generation: number) => {
    const age = now() - entry.drawnAt
    return age < (entry.generation === generation ? FRESH_SECONDS : LEAST_FRESH_SECONDS)
  }
  /** Throws AppError('busy') where too many wait already. */
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting > WAITING_MAX) {
      const message = 'Too many pictures are being drawn: try again soon.'
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
    /** `draw` gives the SVG. What fails is not kept. Throws what `draw` throws, and AppError('busy'). */
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

/** Throws AppError, which is what leaves the process. */
const askApi: Ask = async (asked) => {
  const { api } = await openRuntime()
  return await api.answer(asked)
}

const FILE = /\/(symbols|users)\/([^/]+)\.png$/

/** `GET /api/previews/…/{name}.png`. An unknown name is refused without a turn. */
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
    if (isHeld(request.headers.get('if-none-match'), etag))
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
    throw new AppError('not_found', 'There is no such picture.')
  }
  return { drawn: drawn === 'users' ? 'users' : 'symbols', name: decodeURIComponent(file) }
}

/** One key for every spelling of a name. */
async function loadKey(drawn: Drawn, name: string): Promise<string> {
  const params = new URLSearchParams()
  if (drawn === 'users') {
    const asked = { question: userQuestions.user, parts: { id: name }, params }
    return String((await askApi(asked)).data.user_id)
  }
  const asked = { question: symbolQuestions.symbol, parts: { symbol: name }, params }
  return (await askApi(asked)).data.symbol
}

/** A name that cannot be one is as unknown as one that nobody has. */
function refuse(error: unknown): never {
  throw toAppError(error).fault === 'bad_request'
    ? new AppError('not_found', 'There is no such picture.')
    : error
}

const processPreviews = () =>
  once('previews', () => createPreviews({ rasterise, now: () => Math.floor(Date.now() / 1000) }))

/** A picture straight onto the socket, with its length. */
export const answerPreview = (load: LoadDrawings) =>
  answerPicture(respondPreview(processPreviews(), load))

const FONTS = 'node_modules/geist/dist/fonts/geist-sans'

/** The page's own font, from files: a machine without any draws the same letters. */
const font = {
  loadSystemFonts: false,
  defaultFontFamily: 'Geist',
  fontFiles: ['Regular', 'Medium', 'SemiBold'].map((weight) =>
    join(process.cwd(), FONTS, `Geist-${weight}.ttf`),
  ),
}

/** An SVG in Geist as PNG, in its own size. Threads draw it; this thread encodes it. */
export async function rasterise(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  const { renderAsync } = await import('@resvg/resvg-js')
  return new Uint8Array((await renderAsync(svg, { font })).asPng())
}
