import type { PaneFrame, PointReading } from './pane-frame.ts'
import { toSides } from './time-frame.ts'

/** A pane as the crosshair knows it; pixels from the top of the first. */
export type CrosshairPane<Name extends string> = {
  name: Name
  /** What its readings are about, for whoever hears them: the pane's title is not read with them. */
  subject: string
  top: number
  height: number
  /** The places of the pane's lines in a bucket, in pixels from the pane's top, and their CSS colours. */
  toMarks: (index: number) => readonly { y: number; colour: string }[]
}

type CrosshairProps<Name extends string> = {
  frame: PaneFrame
  panes: readonly CrosshairPane<Name>[]
  index: number
  reading: PointReading<Name>
}

/** A hairline through all panes at one bucket, a mark on each line, and what each pane says of it beside. */
export function Crosshair<Name extends string>(props: CrosshairProps<Name>) {
  const { frame, panes, index, reading } = props
  const [from, to] = toSides(frame, index)
  const x = Math.round((from + to) / 2)
  const isLeft = x > frame.width / 2
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0 overflow-hidden">
      {panes.map((pane, at) => (
        <div
          key={pane.name}
          className="absolute inset-x-0"
          style={{ top: pane.top, height: pane.height }}
        >
          <div
            className="absolute inset-y-0 left-0 border-l border-dashed border-edge"
            style={{ transform: `translateX(${x}px)` }}
          />
          {pane.toMarks(index).map(({ y, colour }) => (
            <span
              key={`${y} ${colour}`}
              className="absolute top-0 left-0 -mt-1 -ml-1 size-2 rounded-full border border-surface forced-color-adjust-none"
              style={{ background: colour, transform: `translate(${x}px, ${y}px)` }}
            />
          ))}
          <div
            className="absolute top-1 rounded-md border border-line-2 bg-surface px-2 py-1 text-xs whitespace-nowrap text-ink-2"
            style={isLeft ? { right: frame.width - x + 10 } : { left: x + 10 }}
          >
            {at === 0 && <p className="font-semibold text-ink">{reading.when}</p>}
            <dl className="grid grid-cols-[auto_auto] gap-x-2">
              {reading[pane.name].map((line) => (
                <div key={line.name} className="contents">
                  <dt>{line.name}</dt>
                  <dd className="text-right font-medium text-ink">{line.text}</dd>
                </div>
              ))}
            </dl>
          </div>
        </div>
      ))}
    </div>
  )
}

/** A reading as it is read out: each pane a sentence with its subject. */
export function toSpoken<Name extends string>(
  reading: PointReading<Name>,
  panes: readonly Pick<CrosshairPane<Name>, 'name' | 'subject'>[],
): string {
  const sentences = panes.map(({ name, subject }) => {
    const parts = reading[name].map((line) => `${line.name.toLowerCase()} ${line.text}`)
    return `${subject}: ${parts.join(', ')}`
  })
  return [reading.when, ...sentences].join('. ')
}
