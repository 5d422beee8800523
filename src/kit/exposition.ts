/** A metric in the text format of Prometheus 0.0.4, by the values of its label, or without one. */
type Exposed = {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge'
  readonly label?: string
  readonly values: ReadonlyMap<string, number>
}

const escapeValue = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')

/** Writes a metric in the text format of Prometheus 0.0.4. */
export const formatMetric = ({ name, help, type, label, values }: Exposed): string => {
  const lines = [...values].map(([value, number]) =>
    label === undefined ? `${name} ${number}` : `${name}{${label}="${escapeValue(value)}"} ${number}`,
  )
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}
