import { withBase } from '#lib/contract/base-path.ts'

export const EditionLink = ({ fileName }: { fileName: string }) => (
  <a className="link" href={withBase(`/api/editions/${fileName}`)} download>
    {fileName}
  </a>
)

export const ShortHash = ({ sha256 }: { sha256: string }) => (
  <code title={sha256} className="font-mono text-sm">
    {sha256.slice(0, 8)}…{sha256.slice(-4)}
  </code>
)
