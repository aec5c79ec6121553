import { AXIS_PX, placeRatings, ROW_PX, toRatingsExtent } from '#components/users/ratings.ts'
import { SpanMarks, SpanTexts } from '#components/users/ratings-drawing.tsx'
import { toUserTexts } from '#components/users/user-texts.ts'
import type { Ask } from '#lib/client/fetch-api.ts'
import type { UserRatings } from '#lib/contract/answers/user-record.ts'
import type { User } from '#lib/contract/answers/users.ts'
import { CHART, drawPreviewCard } from './preview-card.tsx'

type Shown = { user: User; ratings: UserRatings; at: number; isInvented: boolean }

/** The picture of a link to a user's page, as SVG. Throws what `ask` throws. */
export async function loadUserPreview(id: string, ask: Ask): Promise<string> {
  const about = { parts: { id }, params: new URLSearchParams() }
  const [user, ratings, status] = await Promise.all([
    ask({ kind: 'user', ...about }),
    ask({ kind: 'calls', ...about }),
    ask({ kind: 'status', parts: {}, params: new URLSearchParams() }),
  ])
  return drawUserPreview({
    user: user.data,
    ratings: ratings.data,
    at: ratings.meta.as_of,
    isInvented: status.data.service.invented,
  })
}

export const drawUserPreview = ({ user, ratings, at, isInvented }: Shown): string =>
  drawPreviewCard({
    title: `User ${user.user_id}`,
    lines: toUserTexts(user),
    caption: 'The symbols rated last; each bar is a rating, for as long as it counted',
    isInvented,
    children: <LatestRatings at={at} ratings={ratings} />,
  })

/** Beside the rows stand their symbols, in pixels of the page. */
const NAMES_PX = 84
const NAME_LETTERS = 10

/** The symbols that were rated last, as many as there is room for. */
function LatestRatings({ ratings, at }: { ratings: UserRatings; at: number }) {
  const rowsMax = Math.floor((CHART.height / CHART.scale - AXIS_PX) / ROW_PX)
  const shown = { ...ratings, symbols: ratings.symbols.slice(0, rowsMax) }
  const extent = toRatingsExtent(shown, 'all', at)
  const widthPx = CHART.width / CHART.scale - NAMES_PX
  const rows = placeRatings(shown, extent, widthPx)
  return (
    <>
      {rows.map(({ symbol }, row) => (
        <text
          key={symbol}
          fill="var(--ink)"
          fontSize={12}
          fontWeight={500}
          y={AXIS_PX + row * ROW_PX + 19}
        >
          {symbol.length > NAME_LETTERS ? `${symbol.slice(0, NAME_LETTERS - 1)}…` : symbol}
        </text>
      ))}
      <svg
        height={AXIS_PX + rows.length * ROW_PX}
        overflow="visible"
        role="presentation"
        width={widthPx}
        x={NAMES_PX}
      >
        <SpanMarks extent={extent} rows={rows} widthPx={widthPx} />
        <SpanTexts extent={extent} rows={rows} widthPx={widthPx} />
      </svg>
    </>
  )
}
