import { EmbedUnknown } from '#components/embed/embed-absence.tsx'

export default function EmbedNotFound() {
  return <EmbedUnknown />
}
