const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** The properties that the CSS of a school may set. None of them loads anything or runs anything. */
export const properties = words(`
  align-content align-items align-self aspect-ratio background background-clip background-color background-image
  background-origin background-position background-repeat background-size border border-block border-block-end
  border-block-start border-bottom border-bottom-color border-bottom-left-radius border-bottom-right-radius
  border-bottom-style border-bottom-width border-collapse border-color border-inline border-inline-end
  border-inline-start border-left border-left-color border-left-style border-left-width border-radius border-right
  border-right-color border-right-style border-right-width border-spacing border-style border-top border-top-color
  border-top-left-radius border-top-right-radius border-top-style border-top-width border-width bottom box-shadow
  box-sizing break-after break-before break-inside caption-side clear color column-count column-fill column-gap
  column-rule column-rule-color column-rule-style column-rule-width column-span column-width columns content
  counter-increment counter-reset display fill filter flex flex-basis flex-direction flex-flow flex-grow flex-shrink
  flex-wrap float font font-family font-feature-settings font-kerning font-size font-stretch font-style font-variant
  font-variant-caps font-variant-ligatures font-variant-numeric font-weight gap grid grid-area grid-auto-columns
  grid-auto-flow grid-auto-rows grid-column grid-column-end grid-column-start grid-row grid-row-end grid-row-start
  grid-template grid-template-areas grid-template-columns grid-template-rows height hyphens inset inset-block
  inset-block-end inset-block-start inset-inline inset-inline-end inset-inline-start isolation justify-content
  justify-items justify-self left letter-spacing line-height list-style list-style-position list-style-type margin
  margin-block margin-block-end margin-block-start margin-bottom margin-inline margin-inline-end margin-inline-start
  margin-left margin-right margin-top max-block-size max-height max-inline-size max-width min-block-size min-height
  min-inline-size min-width mix-blend-mode object-fit object-position opacity order orphans outline outline-color
  outline-offset outline-style outline-width overflow overflow-wrap overflow-x overflow-y padding padding-block
  padding-block-end padding-block-start padding-bottom padding-inline padding-inline-end padding-inline-start
  padding-left padding-right padding-top place-content place-items place-self position quotes right rotate row-gap
  scale scroll-margin-top stroke stroke-width tab-size table-layout text-align text-align-last text-decoration
  text-decoration-color text-decoration-line text-decoration-style text-decoration-thickness text-indent text-overflow
  text-shadow text-transform text-underline-offset text-wrap top transform transform-origin transition
  transition-delay transition-duration transition-property transition-timing-function translate vertical-align
  visibility white-space widows width word-break word-spacing writing-mode z-index
`)

/** The functions that a value may call. */
export const functions = words(`
  calc clamp min max var rgb rgba hsl hsla oklch oklab color-mix linear-gradient radial-gradient conic-gradient
  repeating-linear-gradient repeating-radial-gradient repeat minmax fit-content translate translateX translateY scale
  scaleX scaleY rotate skew skewX skewY cubic-bezier steps blur brightness contrast drop-shadow grayscale hue-rotate
  invert opacity saturate sepia counter counters light-dark
`)

/** The rules that begin with an at sign. */
export const atRules = words('media supports font-face')

/** Pseudo-classes; those with selectors in parentheses may contain what selectors may. */
export const pseudoClasses = words(`
  active any-link checked disabled empty enabled first-child first-of-type focus focus-visible focus-within has hover is
  lang last-child last-of-type link not nth-child nth-last-child nth-last-of-type nth-of-type only-child only-of-type
  open target visited where
`)

/** Pseudo-elements. */
export const pseudoElements = words('after before first-letter first-line marker placeholder selection')

/** Attributes that a selector may name; none of them has what somebody typed. */
export const attributes = words('aria-current class dir disabled href lang open role type')

/** The values of `position`; a box that stays where the window is could cover a form. */
export const positions = words('static relative absolute sticky')

/** The kinds of nodes that a style sheet may contain. */
export const nodeTypes = words(`
  AnPlusB Atrule AtrulePrelude AttributeSelector Block ClassSelector Combinator Condition Declaration Dimension Feature
  FeatureRange Function Hash IdSelector Identifier MediaQuery MediaQueryList Nth Number Operator Parentheses Percentage
  PseudoClassSelector PseudoElementSelector Ratio Rule Selector SelectorList String StyleSheet SupportsDeclaration
  TypeSelector Value
`)

/** The combinators between selectors. */
export const combinators = new Set([' ', '>', '+', '~'])
