from __future__ import annotations

import pytest

from arboretum.report import numbers


@pytest.mark.parametrize(
    ("text", "decimals", "signed", "expected"),
    [
        ("15.64999", 2, False, "15.65"),
        ("-0.5", 1, True, "−0.5"),
        ("0.5", 1, True, "+0.5"),
        ("0", 1, True, "0.0"),
        ("12960", 0, False, "12\u202f960"),
        ("1066", 0, False, "1066"),
        ("-12345.678", 1, False, "−12\u202f345.7"),
        ("0.00003", 2, False, "0.00003"),
        ("0.32", 0, True, "+0.3"),
        ("4.9e-10", 3, False, "4.9\u202f×\u202f10⁻¹⁰"),
        ("-2e-100", 3, True, "−2.0\u202f×\u202f10⁻¹⁰⁰"),
        ("0.006", 2, False, "0.01"),
        ("inf", 2, False, "∞"),
    ],
)
def test_a_number_is_written_with_its_digits(text: str, decimals: int, signed: bool, expected: str) -> None:
    assert numbers.written(text, decimals, signed) == expected


def test_printed_values_keep_their_digits_and_a_mean_of_them_gets_one_more() -> None:
    column = ["15.6", "3.0", "20.25", "12.966666666666667"]
    decimals = numbers.printed_decimals(column)
    assert [numbers.printed_text(text, decimals) for text in column] == ["15.6", "3.0", "20.25", "12.97"]


def test_a_column_of_means_of_printed_values_is_not_written_to_the_last_digit() -> None:
    assert numbers.printed_decimals(["15.540909090909093", "16.80909090909091", "14.6"]) == 1
    assert numbers.printed_decimals(["15.540909090909093", "16.80909090909091"]) == 1


def test_whole_numbers_stay_whole_even_when_a_gap_made_them_floats() -> None:
    assert numbers.column_decimals(["150.0", "", "3.0"]) == 0
    assert numbers.printed_decimals(["150.0", "", "3.0"]) == 0


def test_three_significant_digits_of_the_typical_value() -> None:
    assert numbers.column_decimals(["15.64", "16.01", "0.0"]) == 1
    assert numbers.column_decimals(["0.8351", "0.9"]) == 3
    assert numbers.column_decimals(["0.0", "0.1", "0.5"]) == 1
    assert numbers.column_decimals(["812.5", "901.25"]) == 0


def test_a_column_with_one_word_is_no_column_of_numbers() -> None:
    assert numbers.is_numeric(["1", "", "2.5"])
    assert not numbers.is_numeric(["1", "two"])
    assert not numbers.is_numeric(["", ""])
