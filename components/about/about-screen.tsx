'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Layer, Rectangle, Surface, Symbols } from 'recharts'
import { ZonedLink } from '#components/address/outlook.tsx'
import { HelpTabs } from '#components/address/page-tabs.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import { ActionMark, RatingMark } from '#components/marks/rating-marks.tsx'
import { ZonedDay } from '#components/time/instant.tsx'
import { PageBody, PageHeader } from '#components/ui/page-layout.tsx'
import { statusSummaryOptions } from '#lib/client/query-options.ts'
import type { StatusSummary } from '#lib/contract/answers/status.ts'

export function AboutScreen() {
  const { data } = useQuery(statusSummaryOptions())
  return (
    <PageBody>
      <PageHeader title="About these ratings" />
      <HelpTabs path="/about" />
      {data && <Source status={data} />}
      <dl className="grid gap-4 md:grid-cols-2 xl:grid-cols-3 vast:grid-cols-6">
        {TERMS.map((term) => (
          <Term key={term.name} {...term} />
        ))}
      </dl>
    </PageBody>
  )
}

function Source({ status: { service, archive } }: { status: StatusSummary }) {
  const { formatCounted } = useFormats()
  return (
    <div className="flex max-w-text flex-col gap-2">
      <p>
        {service.invented
          ? 'This is demo data. A program made up these ratings, and the prices where none were added. They say nothing about real companies or people.'
          : 'People in a community publish what they think of shares and other instruments. This dashboard shows every rating that their ratings service lists, unfiltered.'}
      </p>
      <p className="text-ink-2">
        It holds {formatCounted(archive.ratings, 'rating')}
        {archive.complete_to !== null && (
          <>
            {' '}
            and is complete up to <ZonedDay seconds={archive.complete_to} />
          </>
        )}
        .{' '}
        <ZonedLink className="link" href="/status">
          Status
        </ZonedLink>{' '}
        shows how fresh they are and what is missing. None of it is advice.
      </p>
      <p className="text-ink-2">
        <ZonedLink className="link" href="/docs/definitions">
          How figures are defined
        </ZonedLink>{' '}
        has the formula of each figure,{' '}
        <ZonedLink className="link" href="/docs">
          the docs
        </ZonedLink>{' '}
        cover everything else, and{' '}
        <ZonedLink className="link" href="/docs/api">
          the API
        </ZonedLink>{' '}
        serves the same data to scripts.
      </p>
    </div>
  )
}

type TermProps = { name: string; picture: ReactNode; text: ReactNode }

function Term({ name, picture, text }: TermProps) {
  return (
    <div className="flex flex-col gap-2 rounded-lg border bg-surface p-4">
      <dt className="font-semibold">{name}</dt>
      <dd className="flex grow flex-col gap-3">
        <p className="text-ink-2">{text}</p>
        <div className="mt-auto flex min-h-[5.5rem] items-center rounded-md bg-sunk px-3 py-2">
          {picture}
        </div>
      </dd>
    </div>
  )
}

const Marks = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap gap-x-4 gap-y-1.5">{children}</div>
)

const SIZE = { width: 240, height: 64, viewBox: { x: 0, y: 0, width: 240, height: 64 } }
const TEXT = { className: 'fill-ink-2 text-[11px]' }

type DotProps = { x: number; y: number; colour: string }

const Dot = ({ x, y, colour }: DotProps) => <Symbols cx={x} cy={y} fill={colour} size={55} />

const PredictionPicture = () => (
  <Surface {...SIZE} aria-label="A prediction of plus 12.5 percent" role="img" style={WIDE}>
    <line className="stroke-line-2" x1={10} x2={230} y1={38} y2={38} />
    <line className="stroke-ink-3" x1={120} x2={120} y1={30} y2={46} />
    <Rectangle fill="var(--rating-4)" height={8} width={62} x={120} y={34} />
    <text {...TEXT} textAnchor="middle" x={182} y={24}>
      +12.50%
    </text>
    <text {...TEXT} textAnchor="middle" x={120} y={60}>
      today’s price
    </text>
  </Surface>
)

const WIDE = { width: '100%', height: 'auto', maxWidth: 300 }

function ActivePicture({ ends = 'replaced' }: { ends?: 'replaced' | 'expires' }) {
  const isReplaced = ends === 'replaced'
  return (
    <Surface
      {...SIZE}
      aria-label={
        isReplaced
          ? 'A Hold counts until the same user posts a Moderate Buy'
          : 'A Moderate Buy counts until the day on which it expires'
      }
      role="img"
      style={WIDE}
    >
      <line className="stroke-line-2" x1={10} x2={230} y1={48} y2={48} />
      {isReplaced && (
        <Layer>
          <Rectangle fill="var(--rating-3)" height={8} width={84} x={20} y={32} />
          <Dot colour="var(--rating-3)" x={20} y={36} />
          <text {...TEXT} x={14} y={22}>
            Hold
          </text>
        </Layer>
      )}
      <Layer>
        <Rectangle
          fill="var(--rating-4)"
          height={8}
          width={isReplaced ? 110 : 130}
          x={104}
          y={32}
        />
        <Dot colour="var(--rating-4)" x={104} y={36} />
        <text {...TEXT} x={98} y={22}>
          Moderate Buy
        </text>
      </Layer>
      {!isReplaced && (
        <Layer>
          <line className="stroke-ink" x1={234} x2={234} y1={26} y2={54} />
          <text {...TEXT} textAnchor="end" x={236} y={22}>
            expires
          </text>
        </Layer>
      )}
    </Surface>
  )
}

const ConsensusPicture = () => (
  <Surface
    {...SIZE}
    aria-label="Seven ratings between 2 and 5; their mean is 3.71"
    role="img"
    style={WIDE}
  >
    <line className="stroke-line-2" x1={20} x2={220} y1={44} y2={44} />
    {[1, 2, 3, 4, 5].map((step) => (
      <text key={step} {...TEXT} textAnchor="middle" x={toX(step)} y={60}>
        {step}
      </text>
    ))}
    {RATINGS.map(([rating, place]) => (
      <Dot
        key={`${rating}.${place}`}
        colour={`var(--rating-${rating})`}
        x={toX(rating)}
        y={38 - place * 9}
      />
    ))}
    <line className="stroke-ink" strokeWidth={1.5} x1={toX(3.71)} x2={toX(3.71)} y1={10} y2={48} />
    <text {...TEXT} className="fill-ink text-[11px] font-semibold" x={toX(3.71) - 30} y={20}>
      3.71
    </text>
  </Surface>
)

const RATINGS = [
  [2, 0],
  [3, 0],
  [3, 1],
  [4, 0],
  [4, 1],
  [5, 0],
  [5, 1],
] as const

const toX = (rating: number): number => 20 + (rating - 1) * 50

const TERMS: readonly TermProps[] = [
  {
    name: 'Rating',
    text: 'What one user thinks of one symbol, in five steps. Each step has a number from 1 to 5.',
    picture: (
      <Marks>
        {[1, 2, 3, 4, 5].map((code) => (
          <span key={code} className="inline-flex items-baseline gap-1">
            <span className="text-ink-3 tabular-nums">{code}</span>
            <RatingMark code={code} />
          </span>
        ))}
      </Marks>
    ),
  },
  {
    name: 'Action',
    text: 'What the rating did: the user’s first on the symbol, better or worse than the previous one, or the same again.',
    picture: (
      <Marks>
        {[1, 2, 3, 4].map((code) => (
          <ActionMark key={code} code={code} />
        ))}
      </Marks>
    ),
  },
  {
    name: 'Prediction',
    text: 'How far the user expects the price to move, in percent: up with a plus, down with a minus.',
    picture: <PredictionPicture />,
  },
  {
    name: 'Active',
    text: 'A rating counts from when it is posted until it expires or the same user rates the symbol again. Ended ratings stay in the tables but no longer count.',
    picture: <ActivePicture />,
  },
  {
    name: 'Expiry',
    text: 'When a rating stops counting, as the service gives it. Some ratings have no expiry. A user who still holds the view posts again.',
    picture: <ActivePicture ends="expires" />,
  },
  {
    name: 'Consensus',
    text: 'The mean of a symbol’s active ratings, one per user, from 1 to 5. n is the number of ratings in it.',
    picture: <ConsensusPicture />,
  },
]
