import { Fold } from '#components/ui/fold.tsx'
import { DATABASE_TABLES } from '#lib/contract/database/tables.ts'

export const TABLES = DATABASE_TABLES

export const TableList = () => (
  <div className="flex min-w-0 flex-col gap-1 pt-1">
    <p className="text-ink-3">Times are in UTC.</p>
    {TABLES.map(({ name, meaning, columns }) => (
      <Fold
        key={name}
        title={
          <>
            <span className="font-mono text-ink">{name}</span> · {meaning}
          </>
        }
      >
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 py-1 pl-4 sm:grid-cols-[auto_auto_minmax(0,1fr)]">
          {columns.map((column) => (
            <div className="contents" key={column.name}>
              <dt className="font-mono">{column.name}</dt>
              <dd className="font-mono text-ink-3 max-sm:hidden">{column.type}</dd>
              <dd className="text-ink-2">{column.meaning}</dd>
            </div>
          ))}
        </dl>
      </Fold>
    ))}
  </div>
)
