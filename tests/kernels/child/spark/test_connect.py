"""What Spark Connect lacks is answered with what to use instead."""

from __future__ import annotations

import pytest
from pyspark.errors import PySparkAttributeError, PySparkNotImplementedError

from trailbook.kernels.child.spark.connect import ADVICE, advice


def name_error(name: str) -> NameError:
    with pytest.raises(NameError) as caught:
        eval(name, {})
    return caught.value


@pytest.mark.parametrize("name", ["sc", "sqlContext"])
def test_contexts_are_names_that_are_not_there(name: str) -> None:
    assert advice(name_error(name)) == f"NameError: name {name!r} is not defined. {ADVICE}"


def test_attributes_that_need_the_jvm_are_named() -> None:
    rdd = PySparkNotImplementedError(errorClass="NOT_IMPLEMENTED", messageParameters={"feature": "rdd"})
    context = PySparkAttributeError(
        errorClass="JVM_ATTRIBUTE_NOT_SUPPORTED", messageParameters={"attr_name": "sparkContext"}
    )
    assert advice(rdd) == f"rdd can't be used. {ADVICE}"
    assert advice(context) == f"sparkContext can't be used. {ADVICE}"


def test_other_errors_are_left_alone() -> None:
    other = PySparkNotImplementedError(errorClass="NOT_IMPLEMENTED", messageParameters={"feature": "storageLevel"})
    for error in (name_error("scale"), other, ValueError("rdd NOT_IMPLEMENTED")):
        assert advice(error) is None
