/** Wilson's lower bound: formula and source. */
export const WilsonText = () => (
  <>
    <p>The lower end of Wilson’s interval for x of n votes, with z = 1.96 (95%):</p>
    <p className="rounded bg-sunk px-2 py-1 font-mono text-ink">
      (x + z²/2 − z·√(x·(n − x)/n + z²/4)) / (n + z²)
    </p>
    <p>
      E. B. Wilson, “Probable Inference, the Law of Succession, and Statistical Inference”, JASA 22
      (1927), 209–212.
    </p>
  </>
)
