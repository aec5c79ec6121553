import { useFormats } from '#components/format/use-formats.tsx'
import { ZonedInstant } from '#components/time/instant.tsx'
import { Notice } from '#components/ui/messages.tsx'
import { Card } from '#components/ui/panels.tsx'
import type { PostsImport } from '#lib/contract/answers/status.ts'
import { SetAside } from './set-aside.tsx'

export function PostsImportPanel({ imported }: { imported: PostsImport }) {
  const { formatCounted } = useFormats()
  return (
    <Card
      id="posts-import"
      title="Imported ratings"
      detail={
        <>
          {formatCounted(imported.ratings, 'rating')} from{' '}
          <bdi className="wrap-anywhere">{imported.file}</bdi>, read{' '}
          <ZonedInstant seconds={imported.read_at} />
        </>
      }
    >
      {imported.ratings === 0 && imported.set_aside > 0 && (
        <Notice tone="failure" title="No rating could be read">
          <p>Correct the file, delete the service folder in DATA_DIR, and start again.</p>
        </Notice>
      )}
      {imported.doubled > 0 && (
        <p className="text-ink-3">
          {formatCounted(imported.doubled, 'line')} repeated an id: the last line of each id counts.
        </p>
      )}
      {imported.set_aside === 0 && <p className="text-ink-3">Every line is a rating.</p>}
      <SetAside lines={imported} label="Ratings set aside" />
    </Card>
  )
}
