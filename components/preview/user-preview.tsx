import { AXIS_PX, placeCalls, ROW_PX, toCallsExtent } from '#components/users/calls.ts'
import { CallMarks, CallTexts } from '#components/users/calls-chart.tsx'
import { toUserTexts } from '#components/users/user-texts.ts'
import type { Ask } from '#lib/client/fetch-api.ts'
import type { Calls } from '#lib/contract/answers/user-record.ts'
import type { User } from '#lib/contract/answers/users.ts'
import { CHART, drawPreviewCard } from './preview-card.tsx'

type Shown = { user: User; calls: Calls; at: number; isInvented: boolean }

/** The picture of a link to a user's page, as SVG. Throws what `ask` throws. */
export async function loadUserPreview(id: string, ask: Ask): Promise<string> {
  const about = { parts: { id }, params: new URLSearchParams() }
  const [user, calls, status] = await Promise.all([
    ask({ kind: 'user', ...about }),
    ask({ kind: 'calls', ...about }),
    ask({ kind: 'status', parts: {}, params: new URLSearchParams() }),
  ])
  return drawUserPreview({
    user: user.data,
    calls: calls.data,
    at: calls.meta.as_of,
    isInvented: status.data.service.invented,
  })
}

export const drawUserPreview = ({ user, calls, at, isInvented }: Shown): string =>
  drawPreviewCard({
    title: `User ${user.user_id}`,
    lines: toUserTexts(user),
    caption: 'The symbols rated last; each bar is a rating, for as long as it counted',
    isInvented,
    children: <LatestCalls at={at} calls={calls} />,
  })

/** Beside the rows stand their symbols, in pixels of the page. */
const NAMES_PX = 84
const NAME_LETTERS = 10

/** The symbols that were rated last, as many as there is room for. */
function LatestCalls({ calls, at }: { calls: Calls; at: number }) {
  const rowsMax = Math.floor((CHART.height / CHART.scale - AXIS_PX) / ROW_PX)
  const shown = { ...calls, symbols: calls.symbols.slice(0, rowsMax) }
  const extent = toCallsExtent(shown, 'all', at)
  const widthPx = CHART.width / CHART.scale - NAMES_PX
  const rows = placeCalls(shown, extent, widthPx)
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
        <CallMarks extent={extent} rows={rows} widthPx={widthPx} />
        <CallTexts extent={extent} rows={rows} widthPx={widthPx} />
      </svg>
    </>
  )
}
