import { browserNames, deviceTypes, osNames } from '@everscan/contract/rules/device-names.ts'
import { visits } from '@everscan/contract/rules/rules.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { joinPath } from '@everscan/contract/schema/paths.ts'
import { Plus } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field } from '../ui/field.tsx'
import { Options } from '../ui/options.tsx'
import { rulesWords } from '../words/rules-words.ts'
import type { ConditionProps } from './condition-props.ts'
import type { ShownCondition } from './conditions.ts'
import { HoursFields, PeriodFields } from './time-fields.tsx'
import { TokensField } from './tokens-field.tsx'
import { countryValues, languageValues, valueNames, type NamedValue } from './value-names.ts'

const text = rulesWords.fields
const names = rulesWords.conditions

const same = (list: ReadonlySet<string>): NamedValue[] => [...list].map((one) => [one, one] as const)

/** Lists of values of which the form knows some. */
const lists = {
  countries: { hint: text.countriesHint, offered: countryValues, nameOf: valueNames.country, isOpen: false },
  languages: { hint: text.languagesHint, offered: languageValues, nameOf: valueNames.language, isOpen: true },
  os: { hint: text.add, offered: same(osNames), nameOf: undefined, isOpen: false },
  browsers: { hint: text.add, offered: same(browserNames), nameOf: undefined, isOpen: false },
  regions: { hint: text.regionsHint, offered: [], nameOf: undefined, isOpen: true },
  networks: { hint: text.networksHint, offered: [], nameOf: undefined, isOpen: true },
} as const

/** Edits one condition of a rule. */
export function ConditionEditor({ name, ...props }: ConditionProps & { name: ShownCondition }) {
  const { when, path, form, onChange } = props
  switch (name) {
    case 'hours':
      return <HoursFields {...props} />
    case 'period':
      return <PeriodFields {...props} />
    case 'devices':
      return <DeviceChoice {...props} />
    case 'cities':
      return <CitiesField {...props} />
    case 'query':
      return <QueryFields {...props} />
    case 'visit':
      return (
        <div>
          <Options
            legend={names.visit}
            legendHidden
            value={when.visit ?? 'first'}
            options={visits.map((one) => [one, text.visits[one]] as const)}
            onChoose={(visit) => onChange({ visit })}
          />
          <p className="mt-1 text-sm text-soft">{text.visitHint}</p>
        </div>
      )
    case 'countries':
    case 'languages':
    case 'os':
    case 'browsers':
    case 'regions':
    case 'networks': {
      const { nameOf, ...list } = lists[name]
      return (
        <TokensField
          label={names[name]}
          path={joinPath(path, name)}
          values={when[name] ?? []}
          form={form}
          onChange={(values) => onChange({ [name]: values })}
          {...list}
          {...(nameOf !== undefined && { nameOf })}
        />
      )
    }
    default:
      return name satisfies never
  }
}

function DeviceChoice({ when: { devices = [] }, path, form, onChange }: ConditionProps) {
  const problem = form.problemAt(joinPath(path, 'devices'))
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{names.devices}</legend>
      <div className="flex flex-wrap gap-x-5">
        {deviceTypes.map((device) => (
          <Checkbox
            key={device}
            withLabel
            label={rulesWords.devices[device]}
            checked={devices.includes(device)}
            aria-invalid={problem !== undefined}
            onChange={({ target }) =>
              onChange({
                devices: deviceTypes.filter((one) =>
                  one === device ? target.checked : devices.includes(one),
                ),
              })
            }
          />
        ))}
      </div>
      {problem !== undefined && <p className="text-sm text-danger">{problem}</p>}
    </fieldset>
  )
}

/** Cities are typed as "Munich, DE". */
function CitiesField({ when: { cities = [] }, path, form, onChange }: ConditionProps) {
  return (
    <TokensField
      label={names.cities}
      hint={text.citiesHint}
      path={joinPath(path, 'cities')}
      values={cities.map(({ city, country }) => `${city}, ${country}`)}
      isOpen
      form={form}
      onChange={(values) =>
        onChange({
          cities: values.map((value) => {
            const [city = '', country = ''] = value.split(/,\s*(?=[^,]*$)/)
            return { city: city.trim(), country: country.trim().toUpperCase() }
          }),
        })
      }
    />
  )
}

function QueryFields({ when, path, form, onChange }: ConditionProps) {
  const pairs = Object.entries(when.query ?? {})
  const place = joinPath(path, 'query')
  const set = (at: number, name: string, value: string | null) =>
    onChange({ query: Object.fromEntries(pairs.toSpliced(at, 1, [name, value])) })
  return (
    <div className="grid gap-3">
      {pairs.map(([name, value], at) => (
        // The names are what is edited, so the place is the key.
        // oxlint-disable-next-line no-array-index-key
        <div key={at} className="grid gap-3 sm:grid-cols-2">
          <Field
            label={text.queryName}
            autoComplete="off"
            autoCapitalize="none"
            value={name}
            problem={
              at === 0
                ? (form.problemAt(place) ?? form.problemAt(joinPath(place, name)))
                : form.problemAt(joinPath(place, name))
            }
            onChange={({ target }) => set(at, target.value, value)}
            onBlur={() => form.onLeave(place)}
          />
          <Field
            label={text.queryValue}
            hint={text.queryHint}
            autoComplete="off"
            autoCapitalize="none"
            value={value ?? ''}
            onChange={({ target }) => set(at, name, target.value === '' ? null : target.value)}
          />
        </div>
      ))}
      {pairs.length < limits.ruleQueryNamesMax && (
        <div>
          <Button onClick={() => set(pairs.length, '', null)}>
            <Plus size={16} aria-hidden />
            {text.queryAdd}
          </Button>
        </div>
      )}
    </div>
  )
}
