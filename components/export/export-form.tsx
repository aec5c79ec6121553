import { Checkbox, Segmented } from '#components/ui/fields.tsx'
import {
  type ExportChoice,
  type ExportColumn,
  type ExportFormat,
  ROW_COLUMNS,
} from '#lib/contract/export-choice.ts'
import { toShownFields } from './shown-fields.ts'

export type ExportSettings = Omit<ExportChoice, 'columns'> & {
  of: 'all' | 'shown'
  /** The fields that the specification does not know as well. */
  withExtra: boolean
}

const FORMATS: readonly { value: ExportFormat; label: string; use: string }[] = [
  { value: 'csv', label: 'CSV', use: 'For spreadsheets, and for every program there is.' },
  { value: 'json', label: 'JSON', use: 'One document with its own count, decimals as text.' },
  { value: 'ndjson', label: 'NDJSON', use: 'One object a line, to be read as it comes.' },
  {
    value: 'parquet',
    label: 'Parquet',
    use: 'Exact types and the smallest file, for DuckDB, pandas, R.',
  },
]

/** The columns to ask for; none where they are those that come anyway. */
export function toChosenColumns(
  { of, withExtra }: ExportSettings,
  shown: readonly string[],
): ExportColumn[] {
  if (of === 'all') return withExtra ? [...ROW_COLUMNS, 'extra'] : []
  return withExtra ? [...toShownFields(shown), 'extra'] : toShownFields(shown)
}

type FormProps = {
  settings: ExportSettings
  onChange: (settings: ExportSettings) => void
  shown: readonly string[]
}

/** The format, the columns, and what only CSV has to be told. */
export function ExportForm({ settings, onChange, shown }: FormProps) {
  const change = (changed: Partial<ExportSettings>) => onChange({ ...settings, ...changed })
  const fields = toShownFields(shown)
  return (
    <>
      <div className="flex flex-col gap-1">
        <Segmented
          label="Format"
          className="-ml-1"
          options={FORMATS}
          value={settings.format}
          onChange={(format) => change({ format })}
        />
        <p className="text-sm text-ink-3">
          {FORMATS.find(({ value }) => value === settings.format)?.use}
        </p>
      </div>
      <div className="flex flex-col gap-1">
        <Segmented
          label="Columns"
          className="-ml-1"
          options={[
            { value: 'all', label: `All ${ROW_COLUMNS.length} fields` },
            { value: 'shown', label: `The ${shown.length} columns shown` },
          ]}
          value={settings.of}
          onChange={(of) => change({ of })}
        />
        {settings.of === 'shown' && (
          <p className="text-sm wrap-anywhere text-ink-3">
            In their order, codes with their labels: {fields.join(', ')}
          </p>
        )}
        <Checkbox
          label="Unknown fields too, as “extra”"
          checked={settings.withExtra}
          onChange={({ target }) => change({ withExtra: target.checked })}
        />
        {settings.format === 'csv' && <CsvOptions settings={settings} onChange={change} />}
      </div>
    </>
  )
}

type CsvProps = {
  settings: ExportSettings
  onChange: (changed: Partial<ExportSettings>) => void
}

const CsvOptions = ({ settings: { formulas, bom }, onChange }: CsvProps) => (
  <>
    <Checkbox
      label="Byte order mark, for Excel"
      checked={bom}
      onChange={({ target }) => onChange({ bom: target.checked })}
    />
    <Checkbox
      label="Safe in spreadsheets"
      checked={formulas === 'safe'}
      onChange={({ target }) => onChange({ formulas: target.checked ? 'safe' : 'exact' })}
    />
    <p className="text-sm text-ink-3">
      {formulas === 'safe'
        ? 'A text that a spreadsheet would take for a formula gets an apostrophe. Numbers stay as they are.'
        : 'Every text exactly as it came. In a spreadsheet, some could act as formulas.'}
    </p>
  </>
)
