import type { ReactNode } from 'react'
import { RulePopover } from '#components/league/league-table.tsx'
import { CONSENSUS_MIN, UNMOVED } from '#lib/contract/answers/symbols.ts'

/** How the consensus is ranked: printed where it is sorted by. */
export function ConsensusRule() {
  return (
    <RulePopover name="How consensus is ranked">
      <Paragraphs>
        <p>
          The dot and the number are the plain mean of the active ratings, the thin line is what it
          may be. Highest first is ordered by the lower end of the line (≥), lowest first by the
          upper end (≤): few opinions lead neither.
        </p>
        <p>
          To the n ratings comes one imagined opinion of each, 1 to 5. With N = n + 5, their mean m
          and the mean of their squares q:
        </p>
        <p className="rounded bg-sunk px-2 py-1 font-mono text-ink">
          m ∓ 1.65 · √((q − m²) / (N + 1))
        </p>
        <p>
          Evan Miller,{' '}
          <a
            className="link"
            href="https://www.evanmiller.org/ranking-items-with-star-ratings.html"
            rel="noreferrer"
            target="_blank"
          >
            “Ranking Items With Star Ratings”
          </a>
          , 2014; 1.65 leaves 5% beyond either end. The imagined opinions draw the line towards 3:
          of very few ratings the dot may lie outside it.
        </p>
      </Paragraphs>
    </RulePopover>
  )
}

/** How the 30-day change is ranked, and why some have none. */
export function ChangeRule() {
  return (
    <RulePopover name="How the 30-day change is ranked">
      <Paragraphs>
        <p>
          Shown is the consensus less the one 30 days before, each over the ratings that were active
          then. A dash where fewer than {CONSENSUS_MIN} were active at either: a mean of two is no
          crowd. It is ordered by that change as if {UNMOVED} more opinions had not moved, n being
          the fewer of both ends:
        </p>
        <p className="rounded bg-sunk px-2 py-1 font-mono text-ink">change · n / (n + {UNMOVED})</p>
        <p>
          Shrinkage towards no change, after W. James and C. Stein, “Estimation with Quadratic
          Loss”, 1961; the weight of {UNMOVED} is ours. The line beside it is the consensus every
          two weeks of a year, always from 1 to 5.
        </p>
      </Paragraphs>
    </RulePopover>
  )
}

/** How the mean prediction is ranked. */
export function PredictionRule() {
  return (
    <RulePopover name="How mean prediction is ranked">
      <Paragraphs>
        <p>
          Shown is the plain mean of the active predictions. It is ordered by that mean drawn
          towards the mean of all symbols, c, as if 10 more opinions had been just that:
        </p>
        <p className="rounded bg-sunk px-2 py-1 font-mono text-ink">
          (Σ prediction + 10 · c) / (n + 10)
        </p>
        <p>
          Shrinkage towards the common mean, after W. James and C. Stein, “Estimation with Quadratic
          Loss”, 1961; the weight of 10 is ours.
        </p>
      </Paragraphs>
    </RulePopover>
  )
}

/** What dispersion is. */
export function DispersionRule() {
  return (
    <RulePopover name="What dispersion is">
      <p>
        How far opinions lie apart: the standard deviation of the active ratings (population), in
        steps of the scale. 0.00 is everybody saying the same, 2.00 one half at Strong Buy and the
        other at Strong Sell.
      </p>
    </RulePopover>
  )
}

const Paragraphs = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-col gap-2">{children}</div>
)
