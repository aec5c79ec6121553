import 'server-only'
import { LRUCache } from 'lru-cache'
import { ImageResponse } from 'next/og'
import type { Respond } from '#lib/api/endpoint.ts'
import { readParameters } from '#lib/api/respond.ts'
import type { FetchAnswer } from '#lib/client/fetch-api.ts'
import { toAsked } from '#lib/client/query-options.ts'
import { CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
import { noQuery } from '#lib/contract/api-queries.ts'
import { AppError, toAppError } from '#lib/contract/faults.ts'
import { stateQuestions } from '#lib/contract/operations/state.ts'
import { symbolQuestions } from '#lib/contract/operations/symbols.ts'
import { readPathPart } from '#lib/contract/path-part.ts'
import { ratingLabel } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { selectContext, toSender } from '#lib/server/gate/request-context.ts'
import { openRuntime } from '#lib/server/runtime/runtime.ts'
import { toTwoPlaces } from '#lib/statistics/exact.ts'
import { answerWith, toHandlers } from './mount.ts'

const FILE = /\/([^/]+)\.png$/
const CACHED_PICTURES = 256

/** The picture of a posted link to a symbol, 1200 × 630 pixels. */
export const respondLinkPicture = (): Respond => {
  const cache = new LRUCache<string, Uint8Array<ArrayBuffer>>({ max: CACHED_PICTURES })
  return async ({ takeExportSlot }, { request, params }) => {
    readParameters(noQuery, params)
    const [, file] = FILE.exec(new URL(request.url).pathname) ?? []
    if (file === undefined) throw new AppError('not_found', 'No such image.')
    const card = await loadCard(readPathPart(file)).catch(refuse)
    const key = JSON.stringify(card)
    let png = cache.get(key)
    if (png === undefined) {
      const freeSlot = takeExportSlot()
      try {
        png = new Uint8Array(await new ImageResponse(<Card {...card} />).arrayBuffer())
      } finally {
        freeSlot()
      }
      cache.set(key, png)
    }
    return new Response(png, {
      headers: {
        'content-type': 'image/png',
        'content-length': String(png.byteLength),
        'cache-control': 'private, max-age=300',
      },
    })
  }
}

export const linkPictureHandlers = toHandlers(answerWith(respondLinkPicture()))

function refuse(error: unknown): never {
  throw toAppError(error).fault === 'bad_request'
    ? new AppError('not_found', 'No such image.')
    : error
}

/** `code` 0: too few ratings for a consensus. */
type LinkCard = { symbol: string; name: string; code: number; figure: string; note: string }

async function loadCard(symbol: string): Promise<LinkCard> {
  const [found, opinion, status] = await Promise.all([
    fetchAnswer(toAsked(symbolQuestions.symbol, { parts: { symbol } })),
    fetchAnswer(toAsked(symbolQuestions.opinion, { parts: { symbol } })),
    fetchAnswer(toAsked(stateQuestions.status)),
  ])
  const { active, consensus } = opinion.data
  const hasConsensus = consensus !== null && active >= CONSENSUS_MIN
  const count = `${active.toLocaleString('en-US')} active ${active === 1 ? 'rating' : 'ratings'}`
  return {
    symbol: toDrawable(found.data.symbol),
    name: toDrawable(found.data.name ?? ''),
    code: hasConsensus ? Math.floor(Number(consensus) + 0.5) : 0,
    figure: hasConsensus ? `${toTwoPlaces(consensus)} of 5` : '',
    note: status.data.service.invented ? `${count} · demo data, invented` : count,
  }
}

/** Throws AppError. */
const fetchAnswer: FetchAnswer = async (asked) => {
  const { api } = await openRuntime()
  return await api.answer(asked, toSender(selectContext()))
}

const LETTERS_MAX = 40

/** What the font lacks of Latin, Cyrillic and punctuation, and everything else. */
const NOT_IN_FONT =
  /[^\u0020-\u007e\u00a1-\u00ac\u00ae-\u0113\u0116-\u012b\u012e-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u014d\u0150-\u017e\u0400-\u045f\u2013\u2018\u2019\u201c\u201d\u2026]/gu

/** The renderer would fetch a font from the internet for a character that its own lacks. */
function toDrawable(text: string): string {
  const letters = Array.from(toVisibleText(text).replace(NOT_IN_FONT, '?'))
  return letters.length > LETTERS_MAX
    ? `${letters.slice(0, LETTERS_MAX - 1).join('')}…`
    : letters.join('')
}

/** The light theme, by rating. */
const COLORS = ['#4a4d55', '#9c3a14', '#a3551d', '#5a6068', '#1f6f88', '#0a5874']

const Card = ({ symbol, name, code, figure, note }: LinkCard) => (
  <div
    style={{
      ...COLUMN,
      width: '100%',
      height: '100%',
      padding: 60,
      justifyContent: 'space-between',
      background: '#ffffff',
      color: '#17181c',
    }}
  >
    <div style={COLUMN}>
      <div style={{ fontSize: symbol.length > 16 ? 48 : 110 }}>{symbol}</div>
      <div style={{ fontSize: 40, color: '#4a4d55' }}>{name}</div>
    </div>
    <div style={{ ...COLUMN, color: COLORS[code] }}>
      <div style={{ fontSize: 80 }}>{code === 0 ? 'Too few ratings' : ratingLabel(code)}</div>
      <div style={{ fontSize: 80 }}>{figure}</div>
    </div>
    <div style={{ display: 'flex', justifyContent: 'space-between', fontSize: 32 }}>
      <div style={{ color: '#666a72' }}>{note}</div>
      <div>Bellwether</div>
    </div>
  </div>
)

const COLUMN = { display: 'flex', flexDirection: 'column' } as const
