import type { CSSProperties } from 'react'

type Mark = 'line' | 'dots' | 'bar'

type PaneTitleProps = {
  title: string
  legend: readonly { mark: Mark; label: string; colour: CSSProperties['color'] }[]
}

/** A pane's title with the marks that it is drawn in; 26 px high, whatever stands in it. */
export function PaneTitle({ title, legend }: PaneTitleProps) {
  return (
    <div className="flex h-[26px] items-center gap-x-4 overflow-hidden pl-[46px] text-xs whitespace-nowrap">
      <h3 className="min-w-0 truncate">{title}</h3>
      {legend.map(({ mark, label, colour }) => (
        <span key={label} className="hidden shrink-0 items-center gap-1.5 text-ink-3 sm:flex">
          <svg aria-hidden width={16} height={10} style={{ color: colour }}>
            <LegendMark mark={mark} />
          </svg>
          {label}
        </span>
      ))}
    </div>
  )
}

function LegendMark({ mark }: { mark: Mark }) {
  if (mark === 'line') return <path d="M0 5h16" stroke="currentColor" strokeWidth={2} />
  if (mark === 'bar') return <path d="M5 0h6v10h-6z" fill="currentColor" />
  return (
    <path d="M3 6h0M8 4h0M13 6h0" stroke="currentColor" strokeLinecap="round" strokeWidth={4} />
  )
}
