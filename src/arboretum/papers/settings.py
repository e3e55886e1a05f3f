"""The words in which a paper declares its settings, and the check of settings against them.

``papers/<key>/settings.py`` declares one class per experiment and ``Settings``, the section of the paper in
``params.yaml``. Experiments never import it: words that refuse a wrong value change no result.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    create_model,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from arboretum.datasets.generators import GENERATORS
from arboretum.errors import ArboretumError, nearest

if TYPE_CHECKING:  # ensembles are slow to import, and commands that need no learner need not wait for them
    from arboretum.ensembles.vocabulary import Vocabulary

SHOWN_PROBLEMS = 10


class Section(BaseModel):
    """A mapping with known keys; one with the default None may be left out. A number is no text, true is no number."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)
    in_order: ClassVar[tuple[str, ...]] = ()  # lists whose entries have a meaning by place: these may repeat a value

    @model_validator(mode="before")
    @classmethod
    def _keys_are_known(cls, data: Any) -> Any:
        if isinstance(data, Mapping):
            known = [field.alias or name for name, field in cls.model_fields.items()]
            refuse_unknown_keys(data, known)
        return data

    @model_validator(mode="after")
    def _no_entry_stands_twice(self) -> Section:
        """An entry that stands twice computes the same rows again, which would be found only afterwards."""
        for name, field in type(self).model_fields.items():
            entries, lengths = getattr(self, name), [getattr(rule, "max_length", None) for rule in field.metadata]
            if isinstance(entries, list) and name not in self.in_order and not any(lengths):
                for place, entry in enumerate(entries):
                    if entry in entries[:place]:
                        raise wrong(f"{field.alias or name}: {entry!r} stands twice. Leave one out")
        return self

    @model_validator(mode="after")
    def _every_fold_has_a_case(self, info: ValidationInfo) -> Section:
        folds, sets = getattr(self, "folds", None), getattr(self, "sets", None)
        for name in sets if folds and sets else ():
            cases = _inventory(info).get(name, {}).get("rows")
            if isinstance(cases, int) and folds > cases:
                raise wrong(f"folds: found {folds}, must be at most {cases}, the number of cases of {name!r}")
        return self


def refuse_unknown_keys(data: Iterable[Any], known: Iterable[str]) -> None:
    """Raise unless every key of ``data`` is known."""
    known = list(known)
    for key in data:
        if key not in known:
            raise wrong(f"unknown key {str(key)!r}. {nearest(str(key), known)}")


def wrong(text: str) -> PydanticCustomError:
    """What a check raises that finds a wrong value."""
    return PydanticCustomError("settings", "{text}", {"text": text})


def _inventory(info: ValidationInfo) -> Mapping[str, Any]:
    """The data sets that there are: name -> specification."""
    return (info.context or {}).get("datasets", {})


# ------------------------------------------------------------------ values


def one_of(names: Iterable[Any]) -> Any:
    """One of some names."""
    known = list(names)

    def check(value: Any) -> Any:
        if isinstance(value, list | dict) or value not in known or isinstance(value, bool):
            raise wrong(f"found {value!r}, unknown. {nearest(str(value), known)}")
        return value

    return Annotated[Any, AfterValidator(check)]


def _is_set(value: Any, info: ValidationInfo) -> Any:
    if not isinstance(value, str) or value not in _inventory(info):
        raise wrong(f"found {value!r}: there is no conf/dataset/{value}.yaml. {nearest(str(value), _inventory(info))}")
    return value


LARGEST = 10**9  # a larger number of anything is a slip of the finger
Whole = Annotated[int, Field(ge=0, le=LARGEST)]
Count = Annotated[int, Field(ge=1, le=LARGEST)]
Folds = Annotated[int, Field(ge=2, le=LARGEST)]
Number = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]
Positive = Annotated[float, Field(gt=0, le=LARGEST)]
Share = Annotated[float, Field(ge=0, le=1)]
Part = Annotated[float, Field(gt=0, lt=1)]  # a share that leaves something on both sides
SetName = Annotated[Any, AfterValidator(_is_set)]


def some(kind: Any) -> Any:
    """A list with at least one element."""
    return Annotated[list[kind], Field(min_length=1)]


def pair(kind: Any) -> Any:
    """A list of two elements."""
    return Annotated[list[kind], Field(min_length=2, max_length=2)]


def _default_or_set(value: Any, info: ValidationInfo) -> Any:
    return value if value == "default" else _is_set(value, info)


Counts = some(Count)
Shares = some(Share)
Sets = some(SetName)
PerSet = dict[Annotated[Any, AfterValidator(_default_or_set)], Count]  # by set; `default` for those not named

# ------------------------------------------------------------------ learners


def _features_tried(value: Any) -> Any:
    share = isinstance(value, float) and 0 < value <= 1
    count = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= LARGEST
    if not (value is None or share or count or (isinstance(value, str) and value in ("sqrt", "log2", "all"))):
        raise wrong(f"found {value!r}, must be a number from 1 on, a share, sqrt, log2, all or null")
    return value


OPTIONS = {  # what our estimators check only when they see data
    "max_depth": Count | None,
    "max_features": Annotated[Any, AfterValidator(_features_tried)],
    "prune": Share | None,
    "alphas": Shares | None,
    "n_estimators": Count,
    "n_jobs": int,
    "redraw_constants": bool | one_of(["until_one_varies"]),
}


def learner(kinds: Vocabulary, **own: Any) -> Any:
    """A learner of one of ``kinds`` with parameters that its estimator takes; ``own`` are keys of the experiment."""
    return Annotated[Any, BeforeValidator(lambda spec, info: checked_learner(spec, kinds, own, info))]


def estimator(kind: type, leave_out: Iterable[str] = ()) -> Any:
    """Parameters of one estimator, without those that the experiment gives it."""
    fixed = (*leave_out, "random_state")

    def checked(options: Any) -> Any:
        if not isinstance(options, Mapping):
            raise wrong(f"found {options!r}, must be parameters of {kind.__name__} and their values")
        check_estimator(kind, options, lambda given: kind(**given), leave_out=fixed)
        return options

    return Annotated[Any, BeforeValidator(checked)]


def checked_learner(spec: Any, kinds: Vocabulary, own: Mapping[str, Any], info: ValidationInfo) -> Any:
    """The learner ``spec``, or an error that says what is wrong with it."""
    from arboretum.ensembles.vocabulary import make_learner

    if not isinstance(spec, Mapping) or "kind" not in spec:
        raise wrong(f"found {spec!r}, must have the key 'kind', one of {', '.join(sorted(kinds))}")
    if not isinstance(spec["kind"], str) or spec["kind"] not in kinds:
        raise wrong(f"kind: found {spec['kind']!r}, unknown learner. {nearest(str(spec['kind']), kinds)}")
    made = kinds[spec["kind"]]
    check_estimator(
        made.func,
        {key: value for key, value in spec.items() if key != "kind"},
        lambda options: make_learner(kinds, {"kind": spec["kind"], **options}),
        leave_out=(*made.keywords, "random_state"),
        own={"trees": Count, **own},
        context=info.context,
    )
    return spec


def check_estimator(
    kind: type,
    options: Mapping[str, Any],
    make: Callable[[Mapping[str, Any]], Any],
    leave_out: Iterable[str] = (),
    own: Mapping[str, Any] | None = None,
    context: Any = None,
) -> None:
    """Raise unless ``options`` are parameters of an estimator, of the kind of its defaults, that it accepts itself."""
    own = own or {}
    defaults = {
        name: parameter.default
        for name, parameter in inspect.signature(kind).parameters.items()
        if name not in leave_out
    }
    ours = hasattr(kind, "_check_parameters")  # scikit-learn's estimators check their parameters by _validate_params
    types = {name: OPTIONS.get(name, _like(default)) if ours else Any for name, default in defaults.items()}
    fields = types | dict(own)
    refuse_unknown_keys(options, fields)
    given = {f"{name}_": (fields[name], Field(alias=name)) for name in options}
    try:
        create_model(kind.__name__, __base__=Section, **given).model_validate(options, context=context)
    except ValidationError as failure:
        raise wrong("; ".join(_line(problem, options, _dotted) for problem in failure.errors())) from None
    try:
        model = make({name: value for name, value in options.items() if name not in own or name == "trees"})
        (model._check_parameters if ours else getattr(model, "_validate_params", dict))()
    except (ValueError, TypeError) as problem:
        raise wrong(" ".join(str(problem).split())) from None


def _dotted(path: tuple) -> str:
    return ".".join(map(str, path))


def _like(default: Any) -> Any:
    """The type of values that may stand in place of a default."""
    if isinstance(default, bool):
        return bool
    return float if isinstance(default, int | float) else Any


# ------------------------------------------------------------------ generators


class Generated(Section):
    """A function of ``arboretum.datasets.generators`` and its arguments."""

    function: one_of(GENERATORS)
    arguments: dict[str, Any] = None

    @model_validator(mode="after")
    def _takes_the_arguments(self) -> Generated:
        parameters = inspect.signature(GENERATORS[self.function]).parameters
        known = [name for name in parameters if name != "rng"]
        arguments = self.arguments or {}
        for name, value in arguments.items():
            if name not in known:
                raise wrong(f"arguments: unknown key {name!r}. {nearest(name, known)}")
            number = isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
            if not number and not (isinstance(value, str) and "str" in str(parameters[name].annotation)):
                raise wrong(f"arguments.{name}: found {value!r}, must be a number from 0 on")
        needed = {name for name in known if parameters[name].default is inspect.Parameter.empty}
        if lacking := sorted(needed - set(arguments)):
            raise wrong(f"arguments: {lacking[0]} is missing")
        return self


# ------------------------------------------------------------------ the check


def check(schema: Any, data: Any, name: Callable[[tuple], str], context: Mapping[str, Any], advice: str = "") -> None:
    """Raise one error that names all wrong settings: where (``name(path)``), what was found, what is allowed."""
    try:
        schema.model_validate(data, context=context)
    except ValidationError as failure:
        problems = list(dict.fromkeys(_line(problem, data, name) for problem in failure.errors(include_url=False)))
        more = [f"and {len(problems) - SHOWN_PROBLEMS} more"] if len(problems) > SHOWN_PROBLEMS else []
        closing = [advice] if advice else []
        raise ArboretumError("\n".join([*problems[:SHOWN_PROBLEMS], *more, *closing])) from None


def _line(problem: ErrorDetails, data: Any, name: Callable[[tuple], str]) -> str:
    path, place = [], data
    for key in problem["loc"]:  # parts of a place that are no keys name an alternative of the schema
        missing = problem["type"] == "missing" and key == problem["loc"][-1]
        found = isinstance(place, Mapping) and key in place
        if found or missing or (isinstance(place, list) and isinstance(key, int) and key < len(place)):
            path.append(key)
            place = None if missing else place[key]
    return f"{name(tuple(path))}: {_what(problem)}"


def _what(problem: ErrorDetails) -> str:
    if problem["type"] == "missing":
        return "is missing."
    if problem["type"] == "settings":
        return problem["msg"] if problem["msg"].endswith(("?", ".")) else problem["msg"] + "."
    found = repr(problem["input"])
    found = found if len(found) <= 60 else found[:57] + "..."
    allowed = problem["msg"].split(" or instance of")[0].removeprefix("Input ").removeprefix("String ")
    allowed = allowed.replace("should ", "must ").replace("a valid dictionary", "keys with values")
    return f"found {found}, {allowed}."
