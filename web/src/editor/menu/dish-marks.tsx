import { allergens, diets } from '@everscan/contract/code-types/menu-marks.ts'
import { menuWords } from '../../words/menu-words.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Dish } from './menu-list.ts'

const text = menuWords

type Marks = Pick<Dish, 'diets' | 'allergens'>
type Props = { name: string; dish: Dish; onChange: (marks: Marks) => void; onClose: () => void }

/** Edits what a dish contains, and whom it suits. Every press counts at once. */
export function DishMarksDialog({ name, dish, onChange, onClose }: Props) {
  return (
    <Dialog title={text.marksOf(dish.name || name)} text={text.marksText} onClose={onClose} wide>
      <div className="grid gap-4">
        <Marks
          legend={text.diets}
          all={diets}
          names={text.dietNames}
          chosen={dish.diets ?? []}
          onChange={(chosen) => onChange({ diets: chosen })}
        />
        <Marks
          legend={text.allergens}
          all={allergens}
          names={text.allergenNames}
          chosen={dish.allergens ?? []}
          onChange={(chosen) => onChange({ allergens: chosen })}
        />
        <div className="flex justify-end">
          <Button look="primary" onClick={onClose}>
            {text.marksDone}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

type MarksProps<Mark extends string> = {
  legend: string
  all: readonly Mark[]
  names: Readonly<Record<Mark, string>>
  chosen: readonly Mark[]
  onChange: (chosen: readonly Mark[] | undefined) => void
}

function Marks<Mark extends string>({ legend, all, names, chosen, onChange }: MarksProps<Mark>) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      <div className="grid grid-cols-2 gap-x-4 sm:grid-cols-3">
        {all.map((mark) => (
          <Checkbox
            key={mark}
            withLabel
            label={capital(names[mark])}
            checked={chosen.includes(mark)}
            onChange={({ target }) => {
              const next = all.filter((one) => (one === mark ? target.checked : chosen.includes(one)))
              onChange(next.length === 0 ? undefined : next)
            }}
          />
        ))}
      </div>
    </fieldset>
  )
}

/** Returns the marks of a dish in words. Empty: it has none. */
export function marksText({ diets: liked = [], allergens: contained = [] }: Dish): string {
  const names = contained.map((one) => text.allergenNames[one])
  return [
    ...liked.map((one) => text.dietNames[one]),
    ...(names.length === 0 ? [] : [text.contains(names.join(', '))]),
  ].join(' · ')
}

const capital = (name: string) => name.charAt(0).toLocaleUpperCase() + name.slice(1)
