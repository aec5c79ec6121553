import { ButtonLink } from '#components/ui/button.tsx'
import { Link } from '#components/ui/link.tsx'
import { PageBody } from '#components/ui/page-layout.tsx'
import { dumpOperations } from '#lib/contract/operations/files.ts'

/** Rendered on the server only: it adds no script to the page. */
export const DatabaseCard = () => (
  <PageBody className="pt-0 sm:pt-0">
    <section
      aria-labelledby="database"
      className="flex flex-wrap items-center gap-x-8 gap-y-4 rounded-lg border bg-surface p-5"
    >
      <div className="flex min-w-[min(100%,20rem)] flex-1 flex-col gap-1">
        <h2 id="database" className="text-lg">
          Database
        </h2>
        <p className="max-w-[80ch] text-pretty text-ink-3">
          All ratings, symbols, users, look-ups, calls and prices of this archive as one DuckDB
          file, as of now.
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <ButtonLink variant="solid" size="large" href={dumpOperations.getDatabase.address} download>
          Download database
        </ButtonLink>
        <Link className="link" href="/sql">
          Query it with SQL
        </Link>
      </div>
    </section>
  </PageBody>
)
