import { guardForms } from './guard.ts'
import { openMenus } from './menus.ts'
import { sendOnce } from './send-once.ts'
import { dropSent } from './sent-draft.ts'
import { showToasts } from './toasts.ts'

sendOnce()
openMenus()
showToasts()
dropSent()
guardForms()
