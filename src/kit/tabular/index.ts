export { type InspectOptions, inspectTable, readRows } from './inspect.ts'
export {
  type Column,
  type Delimiter,
  type Inspected,
  TableError,
  type TableFault,
  type TableFormat,
  type TableRow,
} from './table.ts'
