import { RulePopover } from '#components/league/league-table.tsx'
import { OVERVIEW_CLIFF_DAYS, UNMOVED } from '#lib/contract/answers/symbols.ts'

/** Its button is higher than the line that it stands in. */
const IN_LINE = '-my-1'

/** How the moves of a week are ordered. */
export const MoveRule = () => (
  <RulePopover className={IN_LINE} name="How moves are ranked">
    <p>
      The consensus now less the one 7 days before, where 3 or more were active at both. Ordered by
      its size times n / (n + {UNMOVED}), n being the fewer of both ends: as if {UNMOVED} more
      opinions had not moved. The weight is ours.
    </p>
  </RulePopover>
)

/** How the most contested are ordered. */
export const ContestedRule = () => (
  <RulePopover className={IN_LINE} name="How contested symbols are ranked">
    <p>
      Of the votes on a symbol’s active ratings, as last seen, the share that disagrees: not the
      bare share, but the least that it may be.
    </p>
    <Wilson />
  </RulePopover>
)

/** How cliffs are ordered. */
export const CliffRule = () => (
  <RulePopover className={IN_LINE} name="How cliffs are ranked">
    <p>
      How many of the active ratings expire within {OVERVIEW_CLIFF_DAYS} days, and ➝ what the
      consensus would be if nobody renewed. Symbols with 3 active ratings or more, by the least that
      the share may be.
    </p>
    <Wilson />
  </RulePopover>
)

/** The lower end of the interval, and where it comes from. */
const Wilson = () => (
  <>
    <p className="mt-2 rounded bg-sunk px-2 py-1 font-mono text-ink">
      (2x + z² − z√(z² + 4x(n − x)/n)) / (2n + 2z²)
    </p>
    <p className="mt-2">
      x of n, z = 1.96: the lower end of the 95% interval of E. B. Wilson, “Probable Inference, the
      Law of Succession, and Statistical Inference”, 1927.
    </p>
  </>
)
