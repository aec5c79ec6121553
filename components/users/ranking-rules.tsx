import type { ReactNode } from 'react'
import { RulePopover } from '#components/league/rule-popover.tsx'
import { ACTIVITY_WEEKS } from '#lib/contract/answers/users.ts'
import { WilsonText } from './wilson-text.tsx'

/** What counts as activity. */
export const ActivityRule = () => (
  <RulePopover name="What activity is">
    <p>
      Ratings posted in the last 90 days, up to now or up to the day that the page is rewound to.
      The bars beside it are the {ACTIVITY_WEEKS} weeks up to then, seven days each; one rating a
      day and more fill the height, in every row.
    </p>
  </RulePopover>
)

/** How agreement is ranked. */
export const AgreementRule = () => (
  <RulePopover name="How agreement is ranked">
    <Paragraphs>
      <p>
        Shown is the share of the votes on a member’s ratings that agreed, of n votes. It is ordered
        by how low that share may be (≥), so that three votes out of three lead nothing.
      </p>
      <WilsonText />
      <p>Votes are known only as last seen: they are the same on every day that you rewind to.</p>
    </Paragraphs>
  </RulePopover>
)

/** What bias is and how it is ranked. */
export const BiasRule = () => (
  <RulePopover name="How bias is ranked">
    <Paragraphs>
      <p>
        How far a member’s n active ratings stand from the mean of the others’ active ratings on the
        same symbol, on average, in steps of the scale: +1.00 is one step more bullish. Only symbols
        on which at least 3 others are active count.
      </p>
      <p>
        It is ordered by that mean drawn towards 0, as if 10 more ratings had stood on the mean:
      </p>
      <p className="rounded bg-sunk px-2 py-1 font-mono text-ink">Σ distance / (n + 10)</p>
      <p>
        Shrinkage after W. James and C. Stein, “Estimation with Quadratic Loss”, 1961; the weight of
        10 is ours. Bias is no fault: the crowd may be wrong.
      </p>
    </Paragraphs>
  </RulePopover>
)

const Paragraphs = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-col gap-2">{children}</div>
)
