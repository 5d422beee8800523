import { baseKeymap, chainCommands, exitCode } from 'prosemirror-commands'
import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import type { MarkType } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list'
import type { Command, Plugin } from 'prosemirror-state'
import { addRowAfter, goToNextCell, isInTable } from 'prosemirror-tables'
import { actions } from './commands.ts'
import { schema } from './schema.ts'

const { nodes, marks } = schema

const breakLine: Command = (state, dispatch) => {
  const { $from } = state.selection
  if ($from.parent.type.contentMatch.matchType(nodes.hard_break) === null) return false
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView())
  return true
}

const toNewRow: Command = (state, dispatch, view) => {
  if (!isInTable(state) || view === undefined) return false
  addRowAfter(state, dispatch)
  return goToNextCell(1)(view.state, dispatch)
}

/** The keys of the editor; Tab moves in lists and tables alone, and Escape leaves the text. */
export const editorKeys = (own: { readonly link: Command; readonly leave: Command }): Plugin[] => [
  keymap({
    'Mod-b': actions.strong.run,
    'Mod-i': actions.em.run,
    'Mod-e': actions.code.run,
    'Mod-k': own.link,
    'Mod-z': actions.undo.run,
    'Shift-Mod-z': actions.redo.run,
    'Mod-y': actions.redo.run,
    'Shift-Mod-7': actions.numbers.run,
    'Shift-Mod-8': actions.bullets.run,
    'Alt-Mod-0': actions.paragraph.run,
    'Alt-Mod-1': actions.heading1.run,
    'Alt-Mod-2': actions.heading2.run,
    'Alt-Mod-3': actions.heading3.run,
    'Alt-Mod-4': actions.heading4.run,
    Tab: chainCommands(sinkListItem(nodes.list_item), goToNextCell(1), toNewRow),
    'Shift-Tab': chainCommands(goToNextCell(-1), liftListItem(nodes.list_item)),
    Enter: splitListItem(nodes.list_item),
    'Shift-Enter': chainCommands(exitCode, breakLine),
    Escape: own.leave,
  }),
  keymap(baseKeymap),
]

const markRule = (pattern: RegExp, type: MarkType): InputRule =>
  new InputRule(pattern, (state, match, start, end) => {
    const [whole, before = '', inside = ''] = match
    if (state.selection.$from.parent.type.spec.code === true) return null
    const from = start + before.length
    if (whole.length === 0 || state.doc.rangeHasMark(from, end, marks.code)) return null
    return state.tr
      .replaceWith(from, end, schema.text(inside, type.create().addToSet(state.selection.$from.marks())))
      .removeStoredMark(type)
  })

/** What becomes something else while it is typed, as those who know Markdown write it. */
export const typingRules = (): Plugin =>
  inputRules({
    rules: [
      textblockTypeInputRule(/^(#{1,4})\s$/, nodes.heading, ([, signs = '']) => ({ level: signs.length })),
      textblockTypeInputRule(/^```$/, nodes.code_block),
      wrappingInputRule(/^\s*>\s$/, nodes.blockquote),
      wrappingInputRule(/^\s*[-+*]\s$/, nodes.bullet_list),
      wrappingInputRule(
        /^(\d{1,9})[.)]\s$/,
        nodes.ordered_list,
        ([, order]) => ({ order: Number(order) }),
        ([, order], node) => node.childCount + node.attrs.order === Number(order),
      ),
      markRule(/(^|[^*])\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, marks.strong),
      markRule(/(^|[^*])\*([^*\s](?:[^*]*[^*\s])?)\*$/, marks.em),
      markRule(/(^|[^`])`([^`]+)`$/, marks.code),
    ],
  })
