import { declareWhole } from './share.ts'

declareWhole()
