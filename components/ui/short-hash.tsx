/** A SHA-256 by its ends; all of it for whoever points at it. */
export const ShortHash = ({ sha256 }: { sha256: string }) => (
  <code title={sha256} className="font-mono text-sm">
    {sha256.slice(0, 8)}…{sha256.slice(-4)}
  </code>
)
