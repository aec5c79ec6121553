import { EmbedUnknown } from '#components/symbols/embed-absence.tsx'

export default function EmbedNotFound() {
  return <EmbedUnknown />
}
