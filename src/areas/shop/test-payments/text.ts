import type { Phrase } from '#src/contract/language.ts'
import { texts } from '#src/texts/index.ts'
import type { TestAction, TestCard, TestStage } from './rules.ts'

/** The texts of the page of a test payment. */
export const words = texts.shop.testPayments.words

/** What each stage means. */
export const stageText: Readonly<Record<TestStage, Phrase>> = texts.shop.testPayments.stage

/** The labels of the buttons. */
export const actionText: Readonly<Record<TestAction, Phrase>> = texts.shop.testPayments.action

/** The labels of the buttons on a page that only saves a card. */
export const savingText: Readonly<Partial<Record<TestAction, Phrase>>> = texts.shop.testPayments.saving

/** What the cards that can be saved do later. */
export const cardText: Readonly<Record<TestCard, Phrase>> = texts.shop.testPayments.card
